// Polls the state of a pending order every second, and reloads the page on a change.
const state = document.querySelector('[role=status]').id
const timer = setInterval(async () => {
  const answer = await fetch(`${location.pathname}/state`).catch(() => null)
  if (!answer?.ok || (await answer.text()) === state) return
  clearInterval(timer)
  location.reload()
}, 1000)
