package demo

var questionTalk = talk{
	tongue: &english, most: 24,
	points: []string{
		"I asked a librarian, of all people, and had the answer in {nn} minutes. They love such questions.",
		"Write down what you tried, in order. In {n} of ten cases I see it myself while writing.",
		"My neighbour, a {job}, does it in ten minutes. I need an afternoon, and it still comes out crooked.",
		"Switch it off, unplug it, wait {nn} seconds. I hate that this works.",
		"The manual has it in an appendix, page {nn}. Nobody has ever been there before us.",
		"Borrow before you buy. The tool library in {city} lends such things for a small fee.",
		"There is an official form for it in {country}; it takes {n} weeks, but it is final.",
		"I paid a professional once, watched closely, and have done it myself since.",
		"Take a photo before you take it apart. And another one after each step.",
		"The cheap version lasted {n} months, the decent one is in its {ordinal} year.",
		"Half of the advice online is from people who did it once. Ask whoever does it daily, for instance a {job}.",
		"We solved it with tape and a label in {lang}. It still holds.",
		"Vinegar, warm water, patience. If that does not help, the part is broken.",
		"Put it into the calendar, with a reminder {n} days before. Memory is not a tool.",
		"It was the cable. It is the cable more often than I care to admit.",
		"My rule: if it cannot be undone, sleep on it; if it can, try it now.",
	},
	questions: []string{
		"What have you tried already, {parent}?", "Which country are you in? The answer depends on it.", "Does it have to be solved, or just gone by {month}?", "How old is it?",
		"Can you post a photo?", "Is it urgent?", "Who told you that it should work like this?",
	},
}

// greeting is what people say to new members.
var greeting = tongue{
	gap:     " ",
	closers: []string{"Enjoy your stay!", "See you around.", "Say hi to {city} from me.", "Glad you are here.", "Look into the {hobby} threads, too."},
	asks:    []string{"Welcome, {parent}!", "{parent} welcome! I have to ask:", "Hello {parent}!", "Hi {parent}, nice to meet you.", "{parent} greetings from {city}.", "Good to have you here, {parent}!"},
	answers: []string{
		"Welcome, {parent}! 👋", "{parent} welcome! I lived in {city} for {n} years, before I became a {job}.", "{parent} a warm welcome from a {job}! We have {n} of those here, and they never agree.", "Welcome! {user} is into {hobby} as well, {parent}!",
		"{parent} thanks for the kind words. How did you find us?", "Hello {parent}, and welcome from {city}!", "{parent} say more about that! I know nobody who does it.", "{parent} 欢迎！ ようこそ！ Добро пожаловать!",
		"Nice to meet you, {parent}! My sister is a {job} and never has time for an introduction.", "{parent} do you know the {hobby} club in {city}? Lovely people.", "{parent} you will fit right in. 🙂", "{parent} an hour? {user} once talked about {hobby} for {n}.",
		"Good to have you here, {parent}! Yours truly, a {job}.", "{parent} I grew up in {country}, small world!", "{parent} finally, somebody from that corner of the map.", "{parent} my first post was right here, too, in {month}.", "{parent} I am holding you to that hour.",
	},
	reactions: []string{"Welcome, {parent}!", "{parent} hello!", "{parent} how nice.", "Good to meet you, {parent}!", "{parent} 👋", "{parent} greetings from {city}.", "Hi {parent}!"},
}

var helloTalk = talk{
	tongue: &greeting, most: 200,
	points: []string{
		"I began with {hobby} in {month} and have already spent too much money on it.", "We have a yearly meeting in {city}; {n} people came last time, and {nn} are coming this {season}.", "My neighbour is a {job}, and the stories never end.",
		"If you like {hobby}, you will like the people here.", "I was in {city} once, in {month}, and it rained for {n} days. I want to go back.", "Read the old threads by {user}, they are gold.", "I am a {job}, so I lurk here mostly in the breaks.",
		"Half of us came for {proglang} and stayed for everything else.", "Nobody here is too old for {hobby}.", "In {country} one would now offer you {dish}. Consider it offered.", "I have been trying to learn {lang} for {n} years. Be patient with me.",
	},
	questions: []string{
		"How did you come to that?", "What is the best thing about where you live?", "Do you write {proglang} as well?", "Which book would you give to a beginner?", "Is {lang} spoken there?", "What does a normal day look like?",
		"Did you get here through the {proglang} threads?", "What is on your stove tonight?", "How is {month} where you live?",
	},
}

var questionSeeds = []seed{
	t("Say hello! New members introduce themselves here", "introductions", "Welcome to the forum! 👋 你好！ こんにちは！ Привет! مرحبا! שלום!\n\nTell us where you are, what you do, and one thing you could talk about for an hour. Lurkers of many years are welcome, too.",
		"Hello from {city}! I am a {job}, and I could talk about {hobby} for an hour, or two if nobody stops me.",
		"Hi all, {job} by day, {hobby} by night. I read along since {month} and finally made an account.",
		"Greetings from {city} 👋 I came for the {proglang} threads and stayed for the cooking. My topic for an hour: {hobby}.",
		"Hello! Born in {country}, living in {city}, learning {lang}. Ask me about {hobby}.",
		"Hi, I am the {job} whom {user} keeps mentioning. {hobby}, mostly, and a little {proglang}.",
		"Good evening from {city}. Retired {job}. I have {n} grandchildren and one hobby, which is {hobby}.",
		"Hey there. I write {proglang} for money and {lang} poems for nobody. Also: {hobby}. 🌱",
		"Long-time lurker here, {n} years. I am a {job} in {city} and make a decent version of {dish}.",
		"My name is a secret, my cat's name is {proglang}. We live in {city}. {hobby}!",
		"Hello everyone! Trained as a {job}, now a {job}, do not ask. I could talk about {train} for hours.",
		"Moin from a {job} who has just moved to {city}. If anybody there is into {hobby}, send me a message.",
		"Hi! My English is from films and my {lang} from my grandmother. Into {hobby} since {month}.",
		"Salut, {job} from {city}. I once crossed {country} by bicycle and have been boring people with it ever since.").sized(124).in(&helloTalk),
	t("What is a good first server at home?", "a home server", "Requirements: quiet, under 15 W, two disks. For backups, photos, and a wiki for the family. Old laptop, single-board computer, or a small PC?", "An old laptop has a battery, that is, a UPS for free.", "Small used office PC. Silent, cheap, boring."),
	t("How do you remember names?", "remembering names", "I meet thirty people a week at work and forget twenty-nine names. Any technique that does not need a memory palace?", "I say it back at once, and once more when leaving. It helps with half of them.", "I ask 'how do you spell it?'. It went wrong with Tom."),
	t("Why does my sourdough smell like nail varnish?", "that smell", "The starter is three weeks old. It rises, but it smells like a beauty salon. Is it dangerous?", "It is hungry. Feed it twice a day for three days.", "Not dangerous. Mine does that each time I travel."),
	t("Laptop for ten years: possible?", "a laptop for ten years", "I would pay more once. Needs replaceable battery, memory and disk. Experiences with the modular ones?", "Year seven here; battery twice, keyboard once."),
	t("请教：老房子墙面返潮怎么处理", "墙面返潮", "一楼，六十年代的砖房，梅雨季墙角发霉。物业说开窗就好，但是越开越潮。\n\n有没有彻底一点的办法？", "先查外墙散水，很多时候水是从外面进来的。", "梅雨季关窗开除湿机，别听物业的。").in(&zhTechTalk),
	t("Is it rude to reply to an email with one word?", "short replies", "My answer to a long email was 'Yes.' and the sender is offended. He asked a yes/no question! Am I in the wrong?", "'Yes, gladly.' costs one word and buys peace."),
	t("What do you do with old phones?", "old phones", "Four of them in a drawer. Selling is not worth it, throwing away feels wrong.", "One is a webcam for the bird box, one is the kitchen radio.", "Ours went to a repair café; they need spare parts."),
	t("Can one learn to sing at 40?", "singing at 40", "Everybody in my family is musical, and I was told to move my lips silently in the school choir. I would like to try.", "Started at 52. Last month I sang in front of people. Go!", "Look for a choir without auditions. There is one in every town."),
	t("Which keyboard layout for several languages?", "keyboard layouts", "I write English, German, Polish, and some Russian every day. Switching four layouts drives me mad. What do you use?", "US international with dead keys, plus one phonetic layout for Russian."),
	t("A bird has built a nest in my letterbox", "the nest", "Two eggs since yesterday. 🐦 The postman is on the bird's side. How long will I be without mail?", "Roughly five weeks all in all. Hang a bucket next to it with 'POST' on it.", "The postman deserves a cake."),
	t("איך אתם שומרים על ריכוז בעבודה מהבית?", "ריכוז בבית", "כבר שנה שאני עובד מהבית, והמקרר קרוב מדי. ניסיתי טיימר, ניסיתי אוזניות, ניסיתי לצאת לבית קפה.\n\nמה עובד אצלכם?", "קמים, מתלבשים כאילו הולכים למשרד, ומקיפים את הבניין פעם אחת. זה ה\"נסיעה\".").in(&hebrewTalk),
	t("How loud may a heat pump be?", "heat pump noise", "The neighbour's new one hums at night, 42 dB at my window by a phone app. I do not want to quarrel, only sleep.", "Phone apps are off by a lot. Ask whether a night mode is switched on; often it is not."),
	t("What is the best question you were ever asked in an interview?", "interview questions", "Mine: 'What would you do here in the first week if nobody told you anything?' I still think about it.", "'What did you change your mind about lately?' I got the job and still ask it."),
	t("Fountain pen ink on a white shirt. Help", "ink stains", "It is blue, it is large, the wedding is on Saturday.", "Milk, then cold water, then soap. No heat before it is gone!", "Buy another shirt and save yourself two days."),
	t("Where do odd socks go?", "odd socks", "Serious answers only. I have eleven single ones. 🧦", "Inside the duvet cover. Look there now.", "Between the drum and the seal. I found three and a coin from a country that no longer exists."),
}
