package demo

var wordpressTalk = talk{
	tongue: &english, most: 24,
	points: []string{
		"Make a child theme before touching anything. My last direct edit survived exactly {n} weeks, until the next update.",
		"Half of the slow sites I see have {nn} plugins, of which {n} do the same thing.",
		"Object cache in Redis, page cache at the web server: admin pages went from {ms}0 ms to something pleasant.",
		"Turn on `WP_DEBUG_LOG` on staging and read it once. It is educational.",
		"For clients: fewer roles, fewer menus, and a one-page manual with screenshots. Support calls down by {pct}%.",
		"Back up the uploads folder, too. The database alone is half a blog.",
		"`wp search-replace` with `--dry-run` first. Serialised data does not forgive a plain SQL replace.",
		"I write in Markdown and paste. The editor turns it into something sane these days.",
		"Custom post types belong in a plugin, not in the theme. You will change the theme.",
		"Images are the weight. Resize on upload, and the front page drops below {nn}0 KB.",
		"Security is mostly updates, unique passwords, and no plugin that was last touched {n} years ago.",
		"The REST API made our blog the back end of a mobile app within {n} evenings.",
		"Comments: moderated for the first one, free afterwards. Spam is at {n} per week, which I can live with.",
		"Permalinks: decide once. Every redirect you add later is a small apology.",
		"On {host} the real limit was not memory but the number of PHP workers.",
	},
	questions: []string{
		"Which theme is that, {parent}?", "Does it happen with all plugins switched off?", "What does the error log say?", "Is that on a shared host?",
		"Have you tried it with the default theme?", "Would a static site do for you?", "Who updates it when you are on holiday?",
	},
	snippets: []string{
		"```php\nadd_action('after_setup_theme', function () {\n    add_theme_support('post-thumbnails');\n});\n```",
		"```sh\nwp plugin list --update=available\nwp search-replace 'http://example.org' 'https://example.org' --dry-run\n```",
		"1. back up\n2. update plugins\n3. update the core\n4. look at three pages\n5. tea 🫖",
	},
}

var wordpressSeeds = []seed{
	{title: "WordPress 4.0 is out, and writing in it feels lighter", about: "the new release", number: TutorialNumber, size: 86,
		body: "The 4.0 release landed last night, and I have been clicking around in it since breakfast. 🎉 What stands out to me:\n\n- **Media library as a grid.** An endless wall of pictures instead of a table; details open on top of it, and one can step from item to item.\n- **Embeds you can see.** Paste the address of a video on a line of its own, and it plays right there in the editor. No more guessing what readers will get.\n- **The editor grows with the text.** The toolbar stays in view, the inner scroll bar is gone. Long posts no longer feel like writing through a letterbox.\n- **Looking for plugins is pleasant.** Cards with ratings and a compatibility note, and a details window that answers most questions.\n- **The installer asks for your language first**, which will spare my relatives some phone calls.\n\nUpdating two small sites took a minute each; a third one complained about an old gallery plugin, which I took as a hint.\n\nHas anybody updated something big yet? And what do you like best? Start at [wordpress.org](https://wordpress.org/download/) if you want to try it.",
		says: []string{
			"Updated {n} sites on {host}, no trouble at all. For me {wpthing} alone is worth it.", "My favourite is {wpthing}. My mother's is {wpthing}, and she is the one who blogs every day.",
			"Careful on {host}: the update ran out of time {n} times here. With the command line it took {nn} seconds.", "I had hoped for revisions of media, and got {wpthing}. I am not angry.",
			"We run {nn} blogs for a school in {city}. Updated half of them, and the teachers noticed {wpthing} before I could announce it.",
			"Does {wpthing} work for you on a tablet? Here it jumps {adverb}, on {host} and locally.", "{wpthing}: finally! I had {n} plugins for that, and deleted them this morning.",
			"From a {job}'s point of view, {wpthing} is a small thing that saves me {nn} minutes a week.", "I waited {n} releases for this. Thanks to everybody who worked on {wpthing}.",
			"A theme from {month} broke on my site, nothing to do with {wpthing}; it used a function that has been deprecated for {n} years.",
			"Installed it fresh in {lang}. Lovely, apart from {n} strings that nobody has translated yet, among them the ones about {wpthing}.",
			"Benchmarked before and after on {host}: {ms}0 ms for the front page, unchanged. {wpthing} costs nothing, it seems."}},
	t("Which plugins survive every clean-up of yours?", "essential plugins", "I start each year by deactivating everything and adding back what I miss. Three came back this time: redirects, a backup, a cache.", "The one for redirects. Everything else comes and goes.", "A small one of my own that removes things from the admin menu."),
	t("Object cache with Redis: a before and after", "the object cache", "| page | before | after |\n|---|---:|---:|\n| front | 480 ms | 210 ms |\n| admin list | 1,900 ms | 420 ms |\n| single post | 350 ms | 180 ms |\n\nTwenty minutes of work. Why did I wait?", "Set a maxmemory with LRU, or the options table will keep growing in there.", "Which eviction policy?"),
	t("White screen after an update, here is the way out", "the white screen", "Rename the `plugins` folder by FTP, log in, rename it back, activate one by one. It was the gallery. It is always the gallery."),
	t("Teaching my grandfather to blog", "blogging at 84", "He is 84 and writes about the railway he worked for. He calls the dashboard 'the signal box'. 41 posts so far, and three readers from Chile. 🚂", "Please share the link once he agrees. I love railways.", "'The signal box'! I will never call it anything else."),
	t("用 WordPress 写了十年博客，聊聊坚持", "写博客", "2015 年开始写，换过六个主题，丢过一次数据库，读者从三个变成三百个。写作这件事，和工具关系不大。\n\n还在写独立博客的朋友，报个到？", "还在写，一个月一篇，主要给自己看。", "丢过数据库的人都会变成备份爱好者。").in(&zhTechTalk),
	t("Block themes: worth the move?", "block themes", "My classic theme is from 2016 and still looks fine. The new way of building pages looks powerful and a bit like a spaceship. Did you move, and did you stay?", "Moved one site, kept the other. I enjoy the first one and trust the second one."),
	t("Moving from a hosted blog to your own server", "moving a blog", "Export file of 300 MB, import stops after ten minutes. Splitting it by year worked. Sharing this so that nobody else spends a Sunday on it."),
	t("Spam comments reached 2,000 a day", "comment spam", "All of them praise my 'informative article', which is a recipe for soup. What works without a captcha?", "A hidden field that only robots fill in. Ninety percent gone.", "Closing comments on posts older than a month."),
	t("Accessibility check of a theme, step by step", "accessible themes", "1. put the mouse away\n2. can you reach everything with Tab?\n3. can you see where you are?\n4. zoom to 200%\n5. read the headings only\n\nMost themes fail at 3.", "Add: switch off the images and see what is left."),
	t("Headless WordPress: regrets?", "going headless", "Editors keep what they know, visitors get static pages. On the other hand, preview never quite works. Would you do it again?", "For one site no, for ten sites yes."),
}
