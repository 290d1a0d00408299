import { describeShop } from './scenario.ts'
import { openVendure } from './vendure.ts'

describeShop('vendure', openVendure)
