/** A page gets what stands behind its name in the address, such as a payment's id; empty without. */
export type PageProps = { readonly id: string }
