import { openMedusa } from './medusa.ts'
import { describeShop } from './scenario.ts'

describeShop('medusa', openMedusa)
