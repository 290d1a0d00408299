import { setTimeout as sleep } from 'node:timers/promises'
import {
  ForgotPasswordBody,
  PasswordChosen,
  PasswordLink,
  PasswordLinkBody,
  ResetPasswordBody,
} from '@florin/contract/mail.js'
import type { FastifyReply } from 'fastify'
import Type from 'typebox'
import { wireTime } from '../../../core/calendar.ts'
import { normalizeEmail } from '../../../core/person.ts'
import type { Account } from '../../../ops/accountNotices.ts'
import type { MailContext } from '../../../ops/mail.ts'
import {
  choosePasswordByLink,
  openPasswordLink,
  requestPasswordReset,
} from '../../../ops/passwordLinks.ts'
import type { Service } from '../../../service.ts'
import { actorOf } from '../authenticate.ts'
import { clientNetworkOf, createThrottle } from '../http/throttle.ts'
import { refuse, refuseInvalid, succeed } from '../replies.ts'
import type { DeclareRoute } from '../route.ts'
import type { Accounts } from './accounts.ts'
import { passwordProblems } from './passwordProblems.ts'
import { refuseInvalidRequest } from './signIn.ts'

const REQUESTS_PER_MINUTE = 10
const WRONG_LINKS_PER_MINUTE = 30
/** Longer than queueing an email takes, so that the response time doesn't reveal whether the account exists. */
const MIN_RESPONSE_MS = 400

export const mailContextOf = ({ mail, config }: Service): MailContext => ({
  mail,
  publicUrl: config.publicUrl,
})

/** Endpoints for links in emails, without credentials: forgotten passwords and invitations. */
export function passwordLinkRoutes<Caller, StaffAccount extends Account>(
  route: DeclareRoute<null>,
  { kind, path, noun, sessionsOf }: Accounts<Caller, StaffAccount>,
): void {
  const requests = createThrottle(`${path} password requests`, REQUESTS_PER_MINUTE)
  const wrongLinks = createThrottle(`${path} wrong links`, WRONG_LINKS_PER_MINUTE)

  route(`POST ${path}/password/forgot`, {
    operationId: `forgot${noun}Password`,
    summary: 'Request a new password',
    description:
      'Emails a link to choose a new password, at most three an hour. The response is the same for an unknown address.',
    body: ForgotPasswordBody,
    data: Type.Null(),
    errors: [409, 429],
    hasOwnChecks: true,
    handler: async (call) => {
      const { service, body, request, reply } = call
      if (refuseInvalidRequest(call)) return reply
      if (!service.mail.isEnabled) return refuse(reply, 'mail_off')
      if (!requests.take(clientNetworkOf(request)))
        return refuse(reply, 'too_many_wrong_credentials')
      const email = normalizeEmail(body.email)
      const actor = actorOf(request, email ?? '')
      const resetRequest = { actor, locale: body.locale ?? 'en', ...mailContextOf(service) }
      await Promise.all([
        email === null
          ? null
          : requestPasswordReset(service.database, kind, { email, ...resetRequest }),
        sleep(MIN_RESPONSE_MS),
      ])
      return succeed(reply, 'If the address belongs to an account, an email is on its way', null)
    },
  })

  route(`POST ${path}/password/link`, {
    operationId: `open${noun}PasswordLink`,
    summary: 'Check a link from an email',
    description: 'Returns the account that a link from an email is for. The link stays valid.',
    body: PasswordLinkBody,
    data: PasswordLink,
    errors: [410, 429],
    hasOwnChecks: true,
    handler: async (call) => {
      const { service, body, request, reply } = call
      if (refuseInvalidRequest(call)) return reply
      const opened = await openPasswordLink(service.database, kind, body.token)
      if (opened === null) return refuseLink(reply, wrongLinks.take(clientNetworkOf(request)))
      const { link, account } = opened
      const { email, name } = account
      const expires_at = wireTime(link.expiresAt)
      return succeed(reply, 'Link', { purpose: link.purpose, email, name, expires_at })
    },
  })

  route(`POST ${path}/password/reset`, {
    operationId: `reset${noun}PasswordByLink`,
    summary: 'Choose a password with a link from an email',
    description:
      'Sets the password and ends all sessions. The link works once. Second factors stay.',
    body: ResetPasswordBody,
    data: PasswordChosen,
    errors: [410, 429],
    hasOwnChecks: true,
    handler: async (call) => {
      const { service, body, request, reply } = call
      if (refuseInvalidRequest(call)) return reply
      const opened = await openPasswordLink(service.database, kind, body.token)
      const problems = opened ? passwordProblems('new', body.new, opened.account.email) : []
      if (problems.length > 0) return refuseInvalid(reply, problems)
      const account = await choosePasswordByLink(service.database, kind, {
        token: body.token,
        next: body.new,
        actorOf: (account) => actorOf(request, kind.actorName(account)),
        mail: service.mail,
      })
      if (account === null) return refuseLink(reply, wrongLinks.take(clientNetworkOf(request)))
      sessionsOf(service).forgetAll()
      return succeed(reply, 'Password set', { email: account.email })
    },
  })
}

const refuseLink = (reply: FastifyReply, isWithinLimit: boolean) =>
  refuse(reply, isWithinLimit ? 'link_invalid' : 'too_many_wrong_credentials')
