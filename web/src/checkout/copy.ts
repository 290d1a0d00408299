/** Only where the browser lets a page write to the clipboard; the number can be marked anyway. */
export function offerCopy(): void {
  const button = document.querySelector<HTMLButtonElement>('[data-copy]')
  if (button === null || navigator.clipboard === undefined) return
  button.hidden = false
  button.addEventListener('click', () => {
    navigator.clipboard.writeText(button.dataset.copy!).then(
      () => {
        button.querySelector('span')!.textContent = button.dataset.done!
        document.querySelector('[role=status]')!.textContent = button.dataset.done!
      },
      () => {},
    )
  })
}
