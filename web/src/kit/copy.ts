/** Only where the browser lets a page write to the clipboard; the text can be marked anyway. */
export function offerCopy(button: HTMLButtonElement, textOf: () => string): void {
  if (navigator.clipboard === undefined) return
  button.hidden = false
  button.addEventListener('click', () => {
    navigator.clipboard.writeText(textOf()).then(
      () => {
        button.querySelector('span')!.textContent = button.dataset.done!
        document.querySelector('[role=status]')!.textContent = button.dataset.done!
      },
      () => {},
    )
  })
}
