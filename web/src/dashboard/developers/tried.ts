/** What a shop's server gets for asking. */
export type Tried = { readonly payment_id: string; readonly qr_code: string }
