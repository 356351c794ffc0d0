/** The demonstration's users and the password of all of them. Rule: operating#demo. */
export const demoUserIds = [
  'admin',
  'office',
  'warehouse',
  'tech',
  'techNB',
  'supervisor',
  'aftersales',
  'finance',
  'auditor',
  'planner',
  'supplier',
  'viewer',
] as const;

export const DEMO_PASSWORD = 'Reflow#2026';
