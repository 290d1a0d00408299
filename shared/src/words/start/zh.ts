import type { Translation } from '../../translate.ts'
import { words as common } from '../common/zh.ts'
import type { words as source } from './en.ts'

export const words: Translation<typeof source> = {
  ...common,
  title: 'Florin 收款',
  intro: '用二维码收款。顾客用钱包扫码，商家立即看到已付款。',
  apps: '打开',
  wallet: '钱包',
  walletNote: '顾客：扫码、付款、查看收据。',
  till: '收银台',
  tillNote: '收银员：输入金额并出示二维码。',
  dashboard: '管理后台',
  dashboardNote: '店主：付款、退款、余额和 API 密钥。',
  operator: '运营控制台',
  operatorNote: '供本服务的运营方使用。',
  docs: 'API 参考',
  docsNote: '开发者：所有接口及示例。',
  demoTitle: '演示登录信息',
  demoNote: '仅在此演示服务中有效。',
  version: '版本 {version}',
  notFoundTitle: '未找到页面',
  notFoundNote: '请检查地址，或前往首页。',
  needsScript: '此页面需要 JavaScript。请在浏览器中启用后重新加载页面。',
  notLoaded: '页面未能加载。请重新加载。如果仍然不行，请更新浏览器。',
  toStart: '首页',
}
