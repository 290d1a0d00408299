/** Whether the service sends emails. The server says so in the document. */
export const isMailEnabled = document.getElementById('app')?.dataset.mail !== undefined
