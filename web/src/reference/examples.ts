import { enableCopy } from '../kit/copy.ts'
import { storedText } from '../kit/storage.ts'

const storedLanguage = storedText('florin-reference-language')

const radiosIn = (root: ParentNode) =>
  root.querySelectorAll<HTMLInputElement>('.example input[type=radio]')

function select(language: string, root: ParentNode): void {
  for (const radio of radiosIn(root)) if (radio.value === language) radio.checked = true
}

/** Examples in another language have another height. Scrolls, so that the clicked button stays in place. */
function selectFrom(radio: HTMLInputElement): void {
  const before = radio.getBoundingClientRect().top
  select(radio.value, document)
  scrollBy(0, radio.getBoundingClientRect().top - before)
  storedLanguage.set(radio.value)
}

/** Selects the stored language in the examples of `root`, and enables their buttons. */
export function prepareExamples(root: ParentNode): void {
  for (const radio of radiosIn(root)) radio.addEventListener('change', () => selectFrom(radio))
  const language = storedLanguage.get()
  if (language !== null) select(language, root)
  for (const button of root.querySelectorAll<HTMLButtonElement>('.copy')) {
    const examples = [...button.closest('.example')!.querySelectorAll('pre')]
    enableCopy(
      button,
      () => examples.find((example) => example.offsetParent !== null)?.textContent ?? '',
    )
  }
}
