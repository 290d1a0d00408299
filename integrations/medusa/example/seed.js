// Fills an empty database: one region with Florin as payment provider, and one product. Prints the key for storefronts.
const {
  createApiKeysWorkflow,
  createProductsWorkflow,
  createRegionsWorkflow,
  createSalesChannelsWorkflow,
  linkSalesChannelsToApiKeyWorkflow,
} = require('@medusajs/medusa/core-flows')

exports.default = async function seed({ container }) {
  const { result: channels } = await createSalesChannelsWorkflow(container).run({
    input: { salesChannelsData: [{ name: 'Web shop' }] },
  })
  const { result: keys } = await createApiKeysWorkflow(container).run({
    input: { api_keys: [{ title: 'Web shop', type: 'publishable', created_by: '' }] },
  })
  await linkSalesChannelsToApiKeyWorkflow(container).run({
    input: { id: keys[0].id, add: [channels[0].id] },
  })
  await createRegionsWorkflow(container).run({
    input: {
      regions: [
        {
          name: 'United States',
          currency_code: 'usd',
          countries: ['us'],
          payment_providers: ['pp_florin_florin'],
        },
      ],
    },
  })
  await createProductsWorkflow(container).run({
    input: {
      products: [
        {
          title: 'Green tea',
          status: 'published',
          sales_channels: [{ id: channels[0].id }],
          options: [{ title: 'Size', values: ['100 g'] }],
          variants: [
            {
              title: '100 g',
              manage_inventory: false,
              options: { Size: '100 g' },
              prices: [{ amount: 6.45, currency_code: 'usd' }],
            },
          ],
        },
      ],
    },
  })
  console.log(`PUBLISHABLE_KEY=${keys[0].token}`)
}
