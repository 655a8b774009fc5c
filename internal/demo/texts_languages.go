package demo

var languageTalk = talk{
	tongue: &english, most: 20,
	points: []string{
		"Fifteen minutes a day beat {n} hours on Sunday. My {lang} only took off after I stopped making exceptions.",
		"Read children's books in {lang}. The grammar is real, and there are pictures.",
		"I talk to myself in {lang} while cooking. The onions do not judge.",
		"Learn the sounds first. I had to unlearn {n} of them in {lang} after a year.",
		"Flash cards with whole sentences, never single words.",
		"In {city} everybody answered in English until I kept asking in {lang} for {n} days.",
		"False friends are the best jokes. My {lang} list has {nn} entries.",
		"A tandem partner, once a week, half an hour each. Mine is a {job} and very patient.",
		"Handwriting helps: for {lang} I copied a page every morning.",
		"Subtitles in the same language, not in mine. Hard for {n} weeks, then it clicks.",
		"Nobody has ever been offended by my mistakes in {lang}. Several people were delighted.",
		"Plateaus are real. I was at the same level from {month} to {month} and then suddenly understood the radio.",
		"Sing. Songs carry word order better than any table.",
		"The old textbook from {country} is ugly and thorough. I prefer it to every app.",
	},
	questions: []string{
		"How long until you could follow a conversation?", "Which textbook is that, {parent}?", "Do you dream in it already?", "How do you say that in {lang}?", "Do you learn with a teacher or alone?", "What is the first word that you liked?",
	},
}

var languageSeeds = []seed{
	t("One word that your language has and others lack", "untranslatable words", "Portuguese has *desenrascanço*: getting out of trouble with whatever is at hand. Yours?", "Finnish *kalsarikänni*: drinking at home in your underwear. We are a practical people.", "Czech *prozvonit*: to ring once so that they call back."),
	t("学日语三年，敬语还是一团乱", "日语敬语", "看动漫没问题，一写邮件就头疼。「させていただきます」到底什么时候用？\n\n有没有过来人分享一下练习方法？", "背三封万能邮件，够用一年。", "听客服电话录音，跟读，很有效。").in(&zhTechTalk),
	t("Handwriting in a new script", "new scripts", "Six weeks of Arabic letters: ب ت ث look the same to me in a hurry, and my ه has four shapes and no friends. Tips?", "Big paper, thick pen, slowly. Speed comes by itself.", "Write shopping lists in it. Nobody needs to read them but you."),
	t("方言正在消失吗？", "方言", "我会听不会说，我女儿连听也听不懂了。奶奶打电话来，三代人用三种话。\n\n你们家里还说方言吗？", "说，跟父母只说方言，改不过来也不想改。", "录了奶奶讲的故事，一共四十段。").in(&cityTalk),
	t("Tones: how did you learn to hear them?", "hearing tones", "mā má mǎ mà. I can say them one at a time. In a sentence all of them run away.", "In pairs! Learn the twenty combinations of two, not the four.", "Hum the sentence first, then add the words."),
	t("איך לומדים עברית בלי ניקוד?", "קריאה בלי ניקוד", "אני לומד כבר שנה, ועם ניקוד הכול בסדר. בעיתון אני אבוד: ספר, סַפָּר או סִפֵּר?\n\nאיך אתם עשיתם את המעבר?", "קוראים טקסט שכבר שמעתם. האוזן משלימה את התנועות.").in(&hebrewTalk),
	t("日本語の「は」と「が」、どう説明しますか", "「は」と「が」", "外国の友人に聞かれて、うまく答えられませんでした。例文を三つだけ選ぶとしたら、どれにしますか。", "「象は鼻が長い」を最初に見せます。").in(&japaneseTalk),
	t("Raising children with three languages", "trilingual families", "Polish from me, Tamil from their father, English outside. The elder mixes, the younger translates for her dolls. Does it ever settle?", "It does. Ours are 14 and 17 and switch per person without noticing.", "Books in all three, and grandparents on video."),
	t("Как перестать переводить в голове?", "перевод в голове", "Английский в целом хороший, но каждую фразу сначала строю по-русски. На совещаниях не успеваю. Что помогло вам?", "Думать вслух на прогулке. Прохожие привыкают.", "Читать быстро и не заглядывать в словарь.").in(&russianTalk),
	t("Grammar tables: love or hate?", "grammar tables", "| | singular | plural |\n|---|---|---|\n| nominative | talo | talot |\n| partitive | taloa | taloja |\n| inessive | talossa | taloissa |\n\nI find them soothing. My class calls me a monster.", "Soothing! There are two of us."),
	t("Accents: do you want to lose yours?", "accents", "People ask where I am from within one sentence. It used to annoy me; now it starts conversations.", "An accent means that you speak one more language than they do."),
	t("Keyboard, dictionary, notebook: your set-up", "learning tools", "Mine is analogue: a notebook with three columns, and a dictionary that weighs more than my cat. 🐈", "One file, one line per word, `grep`. It is enough."),
	t("中文里的量词怎么记", "量词", "Native speakers: how would you teach 一条路、一张桌子、一只猫、一头牛 to a beginner like me? Is there a logic, or only habit?", "条 is long and bendy, 张 is flat. The rest is poetry.", "Use 个 and smile. Then learn one per week."),
}
