import { Mail, MailList, MailListQuery, MailParams, TestMailBody } from '@florin/contract/mail.js'
import { wireTime } from '../../core/calendar.ts'
import { isMailAddress } from '../../core/mail.ts'
import { normalizeEmail } from '../../core/person.ts'
import { storableId } from '../../core/text.ts'
import { resendMail, sendTestMail } from '../../ops/mail.ts'
import { findMail, type ListedMail, listMails, readMailQueue } from '../../sql/mail.ts'
import type { OperatorCaller } from '../kit/audiences.ts'
import { mailAddressProblem, schemaProblems } from '../kit/http/validation.ts'
import { pageOf, pageQuery, parseIdCursor } from '../kit/paging.ts'
import { refuse, refuseInvalid, succeed } from '../kit/replies.ts'
import type { Call, DeclareRoute } from '../kit/route.ts'

export function mailRoutes(route: DeclareRoute<OperatorCaller>): void {
  route('GET /operator/mails', {
    operationId: 'listMails',
    summary: 'List emails',
    permission: 'read',
    description:
      'Returns the state of the queue, and the emails that are still stored, newest first.',
    query: MailListQuery,
    data: MailList,
    hasOwnChecks: true,
    handler: getMails,
  })

  route('POST /operator/mails/:mailId/resend', {
    operationId: 'resendMail',
    summary: 'Resend a failed email',
    permission: 'admin',
    description: 'Queues a failed email again.',
    params: MailParams,
    hasOptionalBody: true,
    data: Mail,
    errors: [409],
    handler: async ({ service, caller, params, reply }) => {
      const mailId = storableId(params.mailId)
      const resent = await resendMail(service.database, caller.actor, mailId)
      if (resent === null) {
        const isKnown = (await findMail(service.database, mailId)) !== null
        return refuse(reply, isKnown ? 'mail_not_failed' : 'mail_unknown')
      }
      service.mailSender?.wake()
      return succeed(reply, 'Email queued', mailView(resent))
    },
  })

  route('POST /operator/mails/test', {
    operationId: 'sendTestMail',
    summary: 'Send a test email',
    permission: 'admin',
    body: TestMailBody,
    data: Mail,
    errors: [409],
    handler: async ({ service, caller, body, reply }) => {
      if (!service.mail.isEnabled) return refuse(reply, 'mail_not_set_up')
      const to = normalizeEmail(body.to)!
      if (!isMailAddress(to)) return refuseInvalid(reply, [mailAddressProblem('to')])
      const recipient = { to, locale: body.locale ?? 'en' }
      const mail = await sendTestMail(service.database, service.mail, caller.actor, recipient)
      return succeed(reply, 'Email queued', mailView(mail))
    },
  })
}

async function getMails({
  service,
  query,
  request,
  reply,
}: Call<OperatorCaller, { query: MailListQuery; data: MailList }>) {
  const problems = schemaProblems(request)
  const page = pageQuery(query, problems)
  const before = page.cursor(parseIdCursor('mail_'))
  if (problems.length > 0) return refuseInvalid(reply, problems)
  const [{ queued, failed, oldestAt }, found] = await Promise.all([
    readMailQueue(service.database),
    listMails(service.database, {
      state: query.state ?? null,
      recipient: query.to === undefined ? null : query.to.trim().toLowerCase(),
      before,
      limit: page.limit + 1,
    }),
  ])
  const { items, nextCursor } = pageOf(found, page.limit, (last) => last.mailId)
  return succeed(reply, 'Emails', {
    enabled: service.mail.isEnabled,
    from: service.config.mail?.from ?? null,
    queued,
    failed,
    oldest_queued_at: oldestAt && wireTime(oldestAt),
    mails: items.map(mailView),
    next_cursor: nextCursor,
  })
}

function mailView(mail: ListedMail): Mail {
  const { sentAt, failedAt, dueAt } = mail
  const state = sentAt !== null ? 'sent' : failedAt !== null ? 'failed' : 'queued'
  return {
    mail_id: mail.mailId,
    to: mail.recipient,
    template: mail.template,
    locale: mail.locale,
    state,
    attempts: mail.attempts,
    last_error: mail.lastError,
    created_at: wireTime(mail.createdAt),
    next_attempt_at: state === 'queued' ? wireTime(dueAt) : null,
    sent_at: sentAt && wireTime(sentAt),
    failed_at: failedAt && wireTime(failedAt),
  }
}
