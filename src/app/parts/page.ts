/** What the shell hands to every page of a feature: the menu entry it stands under, and the record's id in the address. */
export interface PageProps {
  menuNo: string;
  id?: string;
}
