import './reference.css'
import { offerCopy } from '../kit/copy.ts'

// The page is whole without this script; it chooses a language for all examples at once, and copies.
const KEPT = 'florin-reference-language'

const radios = [...document.querySelectorAll<HTMLInputElement>('.example input[type=radio]')]

function choose(language: string): void {
  for (const radio of radios) if (radio.value === language) radio.checked = true
}

function keptLanguage(): string | null {
  try {
    return localStorage.getItem(KEPT)
  } catch {
    // A browser may forbid it; then each visit begins with the first language.
    return null
  }
}

function keep(language: string): void {
  try {
    localStorage.setItem(KEPT, language)
  } catch {
    // As above.
  }
}

/** What is above it may change its height; the example that was clicked stays where it is. */
function chooseFrom(radio: HTMLInputElement): void {
  const before = radio.getBoundingClientRect().top
  choose(radio.value)
  scrollBy(0, radio.getBoundingClientRect().top - before)
  keep(radio.value)
}

for (const radio of radios) radio.addEventListener('change', () => chooseFrom(radio))
const kept = keptLanguage()
if (kept !== null) choose(kept)

for (const button of document.querySelectorAll<HTMLButtonElement>('.copy')) {
  const shown = () =>
    [...button.closest('.example')!.querySelectorAll('pre')].find(
      (one) => one.offsetParent !== null,
    )
  offerCopy(button, () => shown()?.textContent ?? '')
}
