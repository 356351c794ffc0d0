export default function ListPage(_: { menuNo: string; dialog?: { view: string; id: string } }) {
  return null;
}
