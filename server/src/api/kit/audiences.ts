/** How OpenAPI groups the endpoints of each audience, and the credentials that they need. */
export const MERCHANT_DOCS = { tags: ['Merchant'], security: [{ apiKey: [], apiSecret: [] }] }
export const WEBHOOK_DOCS = { tags: ['Webhooks'], security: MERCHANT_DOCS.security }
export const SANDBOX_DOCS = { tags: ['Sandbox'], security: MERCHANT_DOCS.security }
export const WALLET_DOCS = { tags: ['Wallet'], security: [{ bearer: [] }, { wallet: [] }] }
export const PERSON_DOCS = { tags: ['Store'], security: [{ person: [] }] }
export const OPERATOR_DOCS = { tags: ['Operator'], security: [{ bearer: [] }, { operator: [] }] }
