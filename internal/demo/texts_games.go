package demo

var gameTalk = talk{
	tongue: &english, most: 16,
	points: []string{
		"Teach it while playing, open hands for the first round. Nobody listens to {nn} minutes of rules.",
		"With {n} players it drags; with one fewer it sings.",
		"We play it with a house rule since {month}: whoever explains starts last.",
		"The expansion adds {nn} minutes and no fun. The base game is complete.",
		"My group in {city} has a shelf of shame. {nn} games, unopened.",
		"A timer of {n} minutes per turn saved our evenings.",
		"Cooperative ones for families, or one person plays and the others watch.",
		"I solved it after {n} evenings, with pencil and paper, and was sad when it was over.",
		"Dice do not have a memory. My brother, a {job}, refuses to believe it.",
		"Play the bad strategy once, seriously. You learn why it is bad.",
		"Good games for {train}: anything with a deck and no small pieces.",
	},
	questions: []string{
		"How many players is it best with?", "Does it work for a {job} who never plays?", "How long is a round, honestly?", "Who explains the rules at your place, {parent}?", "Is the digital version any good?",
	},
}

var gameSeeds = []seed{
	t("Games that work with people who hate games", "games for everyone",
		"Family reunion, twelve people from 9 to 83. It must be explained in a minute, and nobody may be knocked out.",
		"Anything with drawing badly.", "Charades in two teams. The 83-year-olds win."),
	t("The rule you played wrong for years", "misread rules",
		"We paid rent *to the bank* in a certain property game. Our games lasted for six hours, and we thought that was normal.", "We shuffled after every turn. Every single one."),
	t("Go (the board game): how to get past 10 kyu", "getting better at Go",
		"围棋, 囲碁, 바둑: the game with stones, not gophers. I know the openings by heart and lose in the middle. Puzzles, reviews, or simply more games?", "Fifty puzzles a day, easy ones, fast.", "Review your losses with somebody two stones stronger."),
	t("Writing a crossword for a wedding", "making crosswords",
		"13 × 13, thirty words, all about the couple. The last corner took me longer than all the rest. ✏️",
		"Start with the long ones in the middle, next time."),
	t("Small puzzle games for the train", "small puzzle games",
		"No account, no coins, no countdown. Recommend one per reply.",
		"Nonograms, on paper. The bumps are part of the difficulty."),
	t("Our campaign ended after five years", "a finished campaign",
		"Every second Thursday, same table, four characters, one dragon who had only wanted to be left alone. We cried a little. What do we do with Thursdays?", "A one-page game, everybody leads once.", "The dragon gets a sequel, surely?"),
	t("Chess clock from an old phone", "chess clocks",
		"Two big buttons, offline, forty lines. I will publish it when my nephew stops finding bugs by losing.",
		"Losing is the best fuzzer."),
}
