/** A typical order: its event is about 1.2 KB. */
export const makeOrder = (number) => ({
  amount: 10 + (number % 90),
  currency: 'USD',
  client: {
    name: 'Ada Lovelace',
    email: 'ada@example.com',
    phone_dial_code: '+1',
    phone: '5550100',
  },
  products: [
    { name: 'A pair of shoes', quantity: 1, price: 7.5 },
    { name: 'Laces, brown', quantity: 2, price: 1.25 },
  ],
  payload: {
    basket: `basket-${number}`,
    campaign: 'spring',
    notes: 'leave it with the neighbours',
  },
  reference_id: `order-${number}`,
  reference_note: 'Order from the shop',
})
