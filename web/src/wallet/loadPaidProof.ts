export const loadPaidProof = () => import('./PaidProof.tsx')
