export default function AdvancedSearchDialog(_: { menuNo: string; onClose: () => void }) { return null; }
