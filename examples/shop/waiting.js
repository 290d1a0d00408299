// Polls the state of a pending order every second, and reloads the page on a change.
const state = document.querySelector('[role=status]').id
const timer = setInterval(async () => {
  const response = await fetch(`${location.pathname}/state`).catch(() => null)
  if (!response?.ok || (await response.text()) === state) return
  clearInterval(timer)
  location.reload()
}, 1000)
