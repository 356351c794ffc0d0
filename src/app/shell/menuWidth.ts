export const menuWidth = (collapsed: boolean): number => (collapsed ? 64 : 200);
