const sheet = new CSSStyleSheet()

/**
 * Sets the size of the printed page, and returns a function that resets it: other pages are printed too. Firefox ignores the
 * sizes of named pages, so the page has no name. The content security policy forbids inline styles but not a constructed
 * style sheet.
 */
export function setPaperSize(widthMm: number, heightMm: number): () => void {
  sheet.replaceSync(`@page { size: ${widthMm}mm ${heightMm}mm; margin: 0 }`)
  document.adoptedStyleSheets.push(sheet)
  return () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet)
  }
}
