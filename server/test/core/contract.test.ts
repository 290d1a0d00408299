import * as contract from '@florin/contract/values.js'
import { expect, it } from 'vitest'
import { MOVE_KINDS } from '../../src/core/approval.ts'
import { LINE_KINDS } from '../../src/core/books.ts'
import { SCOPES } from '../../src/core/credentials.ts'
import { MAX_FINDINGS } from '../../src/core/ledgerFindings.ts'
import { LINK_STATES } from '../../src/core/link.ts'
import { TEMPLATES } from '../../src/core/mail.ts'
import { OPERATOR_ROLES, PERMISSIONS } from '../../src/core/operator.ts'
import { STATUSES } from '../../src/core/payment.ts'
import { ROLES } from '../../src/core/person.ts'
import { SECURITY_EVENT_KINDS } from '../../src/core/securityEvent.ts'
import { EVENT_TYPES } from '../../src/core/webhook.ts'
import { EVENT_STATES } from '../../src/sql/eventLog.ts'
import { MAIL_STATES } from '../../src/sql/mail.ts'

it('the contract lists the same values as the server', () => {
  expect({ ...contract }).toEqual({
    STATUSES,
    SCOPES,
    ROLES,
    PERMISSIONS,
    OPERATOR_ROLES,
    MOVE_KINDS,
    LINE_KINDS,
    EVENT_TYPES,
    LINK_STATES,
    EVENT_STATES,
    MAIL_STATES,
    MAX_FINDINGS,
    TEMPLATES,
    SECURITY_EVENT_KINDS,
  })
})
