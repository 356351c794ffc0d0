/** Of the whole page only the card, a dialog with `data-print`, is printed, over as many sheets as it needs. */
export const printSx = {
  '@media print': {
    '#root, [data-no-print], .MuiBackdrop-root': { display: 'none !important' },
    '[data-print], [data-print] .MuiDialog-container, [data-print] .MuiPaper-root': {
      position: 'static !important',
      display: 'block !important',
      height: 'auto !important',
      maxHeight: 'none !important',
      maxWidth: 'none !important',
      margin: '0 !important',
      boxShadow: 'none !important',
      border: '0 !important',
    },
    '[data-print] .MuiDialogContent-root': { overflow: 'visible !important' },
  },
};
