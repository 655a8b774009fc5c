package docs

import _ "embed"

// style is the style sheet of all pages.
//
//go:embed style.css
var style string

// head is the beginning of each page, up to its contents; %s is the title.
const head = `<!DOCTYPE html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>%s · Agora</title>
  <link rel="stylesheet" href="/docs/style.css">
</head>
<body>
`
