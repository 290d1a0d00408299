import './reference.css'
import './examples.css'
import { enableCopy } from '../kit/copy.ts'
import { storedText } from '../kit/storage.ts'

// The page works without this script, which selects one language for all examples and copies them.
const storedLanguage = storedText('florin-reference-language')

const radios = [...document.querySelectorAll<HTMLInputElement>('.example input[type=radio]')]

function select(language: string): void {
  for (const radio of radios) if (radio.value === language) radio.checked = true
}

/** Other examples change their height. Scrolls, so that the clicked one stays in place. */
function selectFrom(radio: HTMLInputElement): void {
  const before = radio.getBoundingClientRect().top
  select(radio.value)
  scrollBy(0, radio.getBoundingClientRect().top - before)
  storedLanguage.set(radio.value)
}

for (const radio of radios) radio.addEventListener('change', () => selectFrom(radio))
const language = storedLanguage.get()
if (language !== null) select(language)

for (const button of document.querySelectorAll<HTMLButtonElement>('.copy')) {
  const examples = [...button.closest('.example')!.querySelectorAll('pre')]
  enableCopy(button, () => examples.find((one) => one.offsetParent !== null)?.textContent ?? '')
}
