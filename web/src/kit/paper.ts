/**
 * Sets the size of the printed page, and returns a function that resets it: other pages are printed too. Firefox ignores the
 * sizes of named pages, so the page has no name. The content security policy forbids inline styles but not a constructed
 * style sheet. Without those, such as in Safari before 16.4, the size is that of the print dialog.
 */
export function setPaperSize(widthMm: number, heightMm: number): () => void {
  if (!('adoptedStyleSheets' in document)) return () => {}
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(`@page { size: ${widthMm}mm ${heightMm}mm; margin: 0 }`)
  document.adoptedStyleSheets.push(sheet)
  return () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet)
  }
}
