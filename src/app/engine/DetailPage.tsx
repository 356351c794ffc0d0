export default function DetailPage(_: { menuNo: string; id: string }) {
  return null;
}
