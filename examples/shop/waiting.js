// On the page of an order that waits for its payment: looks every second, and reloads when it is news.
const state = document.querySelector('[role=status]').id
const timer = setInterval(async () => {
  const answer = await fetch(`${location.pathname}/state`).catch(() => null)
  if (!answer?.ok || (await answer.text()) === state) return
  clearInterval(timer)
  location.reload()
}, 1000)
