import { media } from '@florin/contract/common.js'
import {
  ChangeLinkBody,
  CreateLinkBody,
  Link,
  LinkList,
  LinkListQuery,
  StoreLinkParams,
} from '@florin/contract/links.js'
import { QrQuery } from '@florin/contract/payments.js'
import { ModeParams } from '@florin/contract/store.js'
import { wireTime } from '../../core/calendar.ts'
import type { Mode } from '../../core/ids.ts'
import { linkStateOf, linkUrl, type Link as StoredLink } from '../../core/link.ts'
import { formatMinor } from '../../core/money.ts'
import { PAGE_ROLES } from '../../core/pages.ts'
import type { Store } from '../../core/store.ts'
import type { Service } from '../../service.ts'
import { listLinks } from '../../sql/links.ts'
import type { PersonInMode } from '../kit/audiences.ts'
import { type Columns, type CsvFile, csvHeader, csvLines, type SendCsv } from '../kit/csvFiles.ts'
import {
  changeStoreLink,
  createStoreLink,
  getStoreLink,
  listStoreLinks,
  prepareLink,
  sendLinkQr,
} from '../kit/payment/links.ts'
import type { DeclareRoute } from '../kit/route.ts'

/** Links for people. All roles see them; owners and managers change them. */
export function linkRoutes(route: DeclareRoute<PersonInMode>, sendCsv: SendCsv): void {
  route('POST /store/:mode/links', {
    operationId: 'createStoreLink',
    summary: 'Create a link',
    description: 'Creates a link that any number of payers can pay, such as a code at the counter.',
    scope: 'create',
    roles: PAGE_ROLES.settings,
    takesIdempotencyKey: true,
    params: ModeParams,
    body: CreateLinkBody,
    data: Link,
    hasOwnChecks: true,
    preValidation: prepareLink,
    handler: createStoreLink,
  })

  route('GET /store/:mode/links', {
    operationId: 'listStoreLinks',
    summary: 'List links',
    description: 'Lists links, newest first. Repeat with `cursor` until `next_cursor` is null.',
    scope: 'read',
    params: ModeParams,
    query: LinkListQuery,
    data: LinkList,
    handler: listStoreLinks,
  })

  route('GET /store/:mode/links.csv', {
    operationId: 'exportLinks',
    summary: 'Export links',
    description: 'Returns all links with their totals as a CSV file, newest first.',
    scope: 'read',
    params: ModeParams,
    response: media('A CSV file (RFC 4180).', 'text/csv'),
    handler: ({ service, caller, request, reply }) => {
      const { store, mode } = caller
      const name = `links-${mode}.csv`
      return sendCsv({ request, reply }, name, () => exportLinks(service, store, mode))
    },
  })

  route('GET /store/:mode/links/:linkId', {
    operationId: 'getStoreLink',
    summary: 'Get a link',
    scope: 'read',
    params: StoreLinkParams,
    data: Link,
    handler: getStoreLink,
  })

  route('PATCH /store/:mode/links/:linkId', {
    operationId: 'changeStoreLink',
    summary: 'Change a link',
    description: 'Changes the given fields, or pauses the link with `active`.',
    scope: 'create',
    roles: PAGE_ROLES.settings,
    params: StoreLinkParams,
    body: ChangeLinkBody,
    data: Link,
    errors: [409],
    hasOwnChecks: true,
    handler: changeStoreLink,
  })

  route('GET /store/:mode/links/:linkId/qr', {
    operationId: 'getStoreLinkQrImage',
    summary: 'Get the QR code image of a link',
    scope: 'read',
    params: StoreLinkParams,
    query: QrQuery,
    response: media('The image', 'image/svg+xml', 'image/png'),
    handler: sendLinkQr,
  })
}

const PAGE_SIZE = 500

async function exportLinks(service: Service, store: Store, mode: Mode): Promise<CsvFile> {
  const { storeId } = store
  const { database, config, clock } = service
  const columns = linkColumns(store, { publicUrl: config.publicUrl, at: clock.now() })
  async function* pages() {
    yield csvHeader(columns)
    for (let before: string | null = null; ; ) {
      const page = { storeId, mode, active: null, before, limit: PAGE_SIZE }
      const read = () => listLinks(database, page)
      const links: readonly StoredLink[] = await service.downloadReads.readOfStore(storeId, read)
      if (links.length > 0) yield csvLines(links, columns)
      if (links.length < PAGE_SIZE) return
      before = links.at(-1)!.linkId
    }
  }
  return { rows: null, pages: pages() }
}

const linkColumns = (
  store: Store,
  { publicUrl, at }: { publicUrl: string; at: Date },
): Columns<StoredLink> => ({
  link_id: (link) => link.linkId,
  title: (link) => link.title,
  state: (link) => linkStateOf(link, at),
  amount: (link) => (link.amount === null ? null : formatMinor(link.amount, link.currency)),
  currency: (link) => link.currency,
  paid_count: (link) => String(link.paidCount),
  paid_total: (link) => formatMinor(link.paidTotal, store.currency),
  paid_currency: () => store.currency,
  max_payments: (link) => (link.maxPayments === null ? null : String(link.maxPayments)),
  expires_at_utc: (link) => link.expiresAt && wireTime(link.expiresAt),
  created_at_utc: (link) => wireTime(link.createdAt),
  reference_id: (link) => link.referenceId,
  url: (link) => linkUrl(link.linkId, publicUrl),
})
