const PX_PER_MM = 96 / 25.4

/** A little more than the receipt, or rounding would put its last line on a second page. */
const SPARE_MM = 2

const sheet = new CSSStyleSheet()

/**
 * Paper on a roll is as long as what is printed on it. `size` takes no `auto` for one side alone, so
 * the length is measured; and a sheet made by a script is not the inline style that the policy forbids.
 */
export function setPaperHeight(px: number): void {
  const mm = Math.ceil(px / PX_PER_MM) + SPARE_MM
  sheet.replaceSync(`@page { size: 80mm ${mm}mm; margin: 0 }`)
  if (!document.adoptedStyleSheets.includes(sheet)) document.adoptedStyleSheets.push(sheet)
}
