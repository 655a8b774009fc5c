package docs

import _ "embed"

// style is the style sheet of all pages.
//
//go:embed style.css
var style string

// icon is the icon of all pages.
//
//go:embed icon.svg
var icon string

// head is the beginning of each page, up to its text; %s is the title. The script shows the search.
const head = `<!DOCTYPE html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>%s · Agora</title>
  <link rel="icon" type="image/svg+xml" href="/docs/icon.svg">
  <link rel="stylesheet" href="/docs/style.css">
  <script type="module" src="/docs/search.js"></script>
</head>
<body>
<header>
  <a href="/docs/">Agora</a>
  <a href="#pages">All pages</a>
  <search hidden>
    <input id="search" type="search" placeholder="Search" aria-label="Search the documentation" autocomplete="off">
    <p id="count" role="status"></p>
    <ol id="found"></ol>
  </search>
</header>
`
