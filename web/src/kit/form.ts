import { type FormEvent, useState } from 'react'
import type { ApiResponse, Problem } from './request.ts'

/** The text fields of a form. `field` returns the props of one of them. */
export function useFields<Name extends string>(initial: Readonly<Record<Name, string>>) {
  const [fields, setFields] = useState(initial)
  const field = (name: Name) => ({
    name,
    value: fields[name],
    onChange: (value: string) => setFields((before) => ({ ...before, [name]: value })),
  })
  /** For names and addresses: pasted text often has spaces around it. */
  const trimFields = () =>
    Object.fromEntries(
      Object.entries<string>(fields).map(([name, text]) => [name, text.trim()]),
    ) as Record<Name, string>
  return { fields, field, trimFields, reset: () => setFields(initial) }
}

/** Sends one request at a time. `problem` is that of the last request, or null. */
export function useAction<Data, Args extends readonly unknown[]>(
  run: (...args: Args) => Promise<ApiResponse<Data>>,
  onDone: (data: Data) => void,
) {
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)
  async function start(...args: Args): Promise<void> {
    if (isBusy) return
    setBusy(true)
    const response = await run(...args)
    setBusy(false)
    setProblem(response.ok ? null : response.problem)
    if (response.ok) onDone(response.data)
  }
  return { isBusy, problem, start }
}

/** Returns a handler that calls `send` instead of reloading the page. */
export const submitHandler = (send: () => unknown) => (event: FormEvent) => {
  event.preventDefault()
  send()
}
