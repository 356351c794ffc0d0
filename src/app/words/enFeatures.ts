/** What pages and dialogs of features say alone. */
export const files = import.meta.glob<object>('/i18n/en/{bills,labels,reports,serials,stations,studio}.json', {
  eager: true,
  import: 'default',
});
