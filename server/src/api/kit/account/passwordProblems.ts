import { passwordProblem } from '../../../core/password.ts'
import { type FieldProblem, problemOf } from '../http/validation.ts'

/** The problem of a new password, if it has one. */
export function passwordProblems(
  field: 'password' | 'new',
  password: string,
  email: string,
): FieldProblem[] {
  const problem = passwordProblem(password, email)
  return problem === null ? [] : [problemOf(field, problem)]
}
