// Looks for words in the sections of the documentation. The index is read when the field is first used.

const field = document.querySelector('#search');
const list = document.querySelector('#found');
const status = document.querySelector('#count');
const most = 20;
let index;

field.parentElement.hidden = false;

// at returns where words begin with what was typed.
const at = (typed) => new RegExp(
  `(?<![\\p{L}\\p{N}])${typed.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/\s+/g, '\\s+')}`, 'giu');

// score is 0 unless the section has all words. Several words beside each other, as typed, count most, then one in a heading.
function score(section, words, typed) {
  let sum = words.length > 1 && (section.title.match(typed) ?? section.text.match(typed)) ? 40 * words.length : 0;
  for (const word of words) {
    const [title, page, text] = [section.title, section.page, section.text].map((of) => of.match(word)?.length ?? 0);
    if (title + page + text === 0) return 0;
    sum += 20 * Math.min(title, 1) + 5 * Math.min(page, 1) + Math.min(text, 5);
  }
  return sum;
}

// excerpt is the text around the first word, which is marked.
function excerpt(text, word) {
  const quote = document.createElement('p');
  word.lastIndex = 0;
  const found = word.exec(text);
  const start = Math.max(0, (found?.index ?? 0) - 60);
  const end = start + 160;
  if (!found) return Object.assign(quote, { textContent: text.slice(0, 160) });
  const mark = document.createElement('mark');
  mark.textContent = found[0];
  quote.append(start > 0 ? '… ' : '', text.slice(start, found.index), mark, text.slice(found.index + found[0].length, end),
    end < text.length ? ' …' : '');
  return quote;
}

async function search() {
  index ??= fetch('/docs/search.json').then((answer) => answer.json());
  const typed = field.value.trim();
  const words = typed.split(/\s+/).filter(Boolean).map(at);
  const sections = await index;
  const found = words.length === 0 ? [] : sections
    .map((section) => ({ section, score: score(section, words, at(typed)) }))
    .filter((each) => each.score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, most);
  list.replaceChildren(...found.map(({ section }) => {
    const item = document.createElement('li');
    const link = document.createElement('a');
    link.href = section.url;
    link.textContent = section.title === section.page ? section.page : `${section.page}: ${section.title}`;
    item.append(link, excerpt(section.text, section.text.match(at(typed)) ? at(typed) : words[0]));
    return item;
  }));
  status.textContent = words.length === 0 ? '' : found.length === 0 ? 'Nothing found.' : `${found.length === most ? 'The best ' : ''}${found.length} found.`;
}

field.addEventListener('focus', search, { once: true });
field.addEventListener('input', search);
field.addEventListener('keydown', (event) => {
  if (event.key === 'Enter') list.querySelector('a')?.click();
  if (event.key !== 'Escape') return;
  field.value = '';
  search();
});
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.target === field) return;
  event.preventDefault();
  field.focus();
});
