/** Shows a hidden button that copies a text, if the browser allows writing to the clipboard. */
export function enableCopy(button: HTMLButtonElement, getText: () => string): void {
  if (navigator.clipboard === undefined) return
  button.hidden = false
  button.addEventListener('click', () => {
    navigator.clipboard.writeText(getText()).then(
      () => {
        button.querySelector('span')!.textContent = button.dataset.done!
        document.querySelector('[role=status]')!.textContent = button.dataset.done!
      },
      () => {},
    )
  })
}
