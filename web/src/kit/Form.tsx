import {
  createContext,
  type FormEvent,
  type ReactNode,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { fieldText } from './fieldText.ts'
import { useCommonLanguage } from './language.tsx'
import type { Problem } from './request.ts'

type FormState = {
  /** The refusal of the last request. Its fields show what is wrong with them. */
  readonly problem: Problem | null
  /** True after an attempt to send the form while a field was invalid. */
  readonly hasInvalidAttempt: boolean
  /** The names of the shown fields. */
  readonly names: Set<string>
}

const FormContext = createContext<FormState>({
  problem: null,
  hasInvalidAttempt: false,
  names: new Set(),
})

type Props = {
  onSubmit: () => unknown
  problem?: Problem | null
  className?: string
  /** Focuses the first field, unless another one has the focus. */
  autoFocus?: boolean
  'aria-label'?: string
  children: ReactNode
}

/** A form that is sent only if all its fields are valid. Otherwise the first invalid field gets the focus. */
export function Form(props: Props) {
  const { onSubmit, problem = null, className = 'stack', autoFocus, children, ...rest } = props
  const element = useRef<HTMLFormElement>(null)
  const [hasInvalidAttempt, setInvalidAttempt] = useState(false)
  const [names] = useState(() => new Set<string>())
  const state = useMemo(
    () => ({ problem, hasInvalidAttempt, names }),
    [problem, hasInvalidAttempt, names],
  )
  useEffect(() => {
    const form = element.current!
    if (autoFocus && !form.contains(document.activeElement)) focusField(form)
  }, [autoFocus])
  useEffect(() => {
    if (problem && problem.errors.length > 0) focusFirst(element.current!, '[data-refused]')
  }, [problem])
  function submit(event: FormEvent): void {
    event.preventDefault()
    // React events bubble through portals: a form in a dialog would also submit the form that opened the dialog.
    event.stopPropagation()
    const isInvalid = focusFirst(element.current!, '[data-invalid-value]')
    setInvalidAttempt(isInvalid)
    if (!isInvalid) onSubmit()
  }
  return (
    // Without `noValidate`, the browser shows its own messages, in its own language.
    <form {...rest} ref={element} className={className} onSubmit={submit} noValidate>
      <FormContext value={state}>{children}</FormContext>
    </form>
  )
}

function focusFirst(form: HTMLFormElement, selector: string): boolean {
  const first = form.querySelector(selector)
  // A field in a closed `details` cannot get the focus.
  first?.closest('details')?.setAttribute('open', '')
  if (first) focusField(first)
  return first !== null
}

const focusField = (within: Element) =>
  within.querySelector<HTMLElement>(':is(input, select, textarea):enabled')?.focus()

const coversField = (name: string, field: string) => field === name || field.startsWith(`${name}.`)

type Value = {
  /** The name in the request, by which the server reports problems. */
  readonly name?: string | undefined
  /** What is wrong with the value, whether it was shown yet or not. */
  readonly valueProblem: string | undefined
  readonly isEmpty: boolean
}

/** Shows what is wrong with a field after it was filled and left, after an attempt to send, or after a refusal. */
export function useFieldProblem({ name, valueProblem, isEmpty }: Value) {
  const language = useCommonLanguage()
  const { problem, hasInvalidAttempt, names } = useContext(FormContext)
  const [isLeft, setLeft] = useState(false)
  const [editedAfter, setEditedAfter] = useState<Problem | null>(null)
  useEffect(() => {
    if (name === undefined) return
    names.add(name)
    return () => void names.delete(name)
  }, [names, name])
  const refusal =
    problem === editedAfter || name === undefined
      ? undefined
      : problem?.errors.find(({ field }) => coversField(name, field))
  const isDue = hasInvalidAttempt || (isLeft && !isEmpty)
  return {
    shownProblem: refusal ? fieldText(refusal.message, language) : isDue ? valueProblem : undefined,
    marks: {
      ...(valueProblem !== undefined && { 'data-invalid-value': '' }),
      ...(refusal !== undefined && { 'data-refused': '' }),
    },
    onEdit: () => setEditedAfter(problem),
    /**
     * Don't show a problem while the user presses a button: the message would move the button. If the button sends
     * the form, the problem is shown then. In Safari, a pressed button doesn't get the focus, so `next` is null.
     */
    onLeave: (next: EventTarget | null) => {
      const isButtonPressed =
        next instanceof HTMLButtonElement || document.querySelector('button:active') !== null
      if (!isButtonPressed) setLeft(true)
    },
  }
}

/** The problems of fields that the form doesn't have. Outside of a form, all of them. */
export function useOtherErrors(problem: Problem): Problem['errors'] {
  const { names } = useContext(FormContext)
  return problem.errors.filter(({ field }) => ![...names].some((name) => coversField(name, field)))
}
