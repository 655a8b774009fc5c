package demo

var creativeTalk = talk{
	tongue: &english, most: 16,
	points: []string{
		"One lens for a year. After {n} months I stopped thinking about gear.",
		"Draw it badly {nn} times. Number {nn} will surprise you.",
		"The light in {city} in {month} does half of the work.",
		"Show the work to a {job}. People outside the craft say what they see, not what you should have done.",
		"I record each rehearsal on the phone. It is cruel, and it is the best teacher.",
		"Constraints help: {n} colours, one hour, no undo.",
		"Print it. On paper I see at once what has been wrong for weeks.",
		"I keep a folder of failures and look into it each {season}. Some of them have become good in the meantime.",
		"Finish things. A finished small piece taught me more than {n} large ones in a drawer.",
		"For type: fewer sizes, more space. Nearly every poster gets better that way.",
		"My teacher in {city} made us copy masters for {n} weeks. I hated it, and I still live off it.",
		"Mute the colours by {pct}% and look again.",
	},
	questions: []string{
		"How long did it take you?", "Did you plan that or find it?", "Which paper is it?", "What did you leave out?", "May we see the sketches, {parent}?", "Is there a recording?",
	},
}

var creativeSeeds = []seed{
	t("Film photography in 2025: why do I do this", "shooting film",
		"36 pictures, a week of waiting, money for each mistake. And still I look longer before I press the button. 📷",
		"Because the waiting is part of the picture."),
	t("A drawing a day: day 200", "a drawing a day",
		"From potatoes to people, twenty minutes each. What changed after day 60 was not the hand, it was the eye.",
		"What happens when you miss a day?", "Day 200! I gave up at 9."),
	t("Which typeface for a cookbook?", "type for a cookbook",
		"Needs fractions, old-style figures, and warmth. Two weights are enough. It is for my aunt's 70th birthday.",
		"Something with generous italics. Recipes are full of asides.", "Check that ½ and ⅔ look like family."),
	t("Learning the cello with neighbours", "practising with neighbours",
		"Thin walls. I put a note into the stairwell: 'beginner, 18 to 19 h, sorry'. Somebody wrote below: 'bar 12 is a B flat'. 🎻", "That neighbour is a treasure.", "I would frame the note."),
	t("Making a zine with a photocopier", "making zines",
		"Eight pages from one sheet, folded, one cut. 40 copies, swapped at a market. The internet did not notice, and it was lovely."),
	t("Field recordings: your favourite sound", "field recordings",
		"Mine is a harbour at night: ropes, water, one bell. I record with two cheap microphones and a sock against the wind.", "Ice on a lake, singing. Put the microphone on the surface."),
	t("毛笔字练了一百天", "练毛笔字", "每天二十分钟，临一页帖。手还是抖，心倒是静了。\n\n有没有同好交流一下纸和墨？", "先用毛边纸，便宜，不心疼。").in(&cityTalk),
	t("Poster critique: be kind, be precise", "poster critique",
		"A3, two colours, for the spring concert of a choir. The date is in the lower left corner, as big as the title. Too loud?", "The date may be loud. People forget dates, not titles."),
}
