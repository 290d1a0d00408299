import { wireTime } from './calendar.ts'
import { storedObject } from './json.ts'
import { type Link, linkStateOf, linkUrl } from './link.ts'
import { formatMinor } from './money.ts'
import { productView } from './paymentView.ts'
import type { Store } from './store.ts'

/** The link as its store sees it. */
export function linkView(
  link: Link,
  store: Pick<Store, 'currency'>,
  { publicUrl, at }: { publicUrl: string; at: Date },
) {
  return {
    link_id: link.linkId,
    url: linkUrl(link.linkId, publicUrl),
    mode: link.mode,
    title: link.title,
    description: link.description,
    amount: link.amount === null ? null : formatMinor(link.amount, link.currency),
    currency: link.currency,
    products: linkProducts(link),
    payload: storedObject(link.payload),
    reference_id: link.referenceId,
    reference_note: link.referenceNote,
    webhook_url: link.webhookUrl,
    return_url: link.returnUrl,
    locale: link.locale,
    max_payments: link.maxPayments,
    expires_at: link.expiresAt && wireTime(link.expiresAt),
    active: link.active,
    state: linkStateOf(link, at),
    paid_count: link.paidCount,
    paid_total: formatMinor(link.paidTotal, store.currency),
    paid_currency: store.currency,
    created_at: wireTime(link.createdAt),
  }
}

export const linkProducts = ({ products, currency }: Link) =>
  products.map((product) => productView(product, currency))
