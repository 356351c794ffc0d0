/** The tables of the orders that take lots in and give lots back. */
export const orderTables = {
  icopBumpingCpWorkOrder: 'icop_bumping_cp_work_order',
  icopAssemblyWorkOrder: 'icop_assembly_work_order',
  icopFtWorkOrder: 'icop_ft_work_order',
} as const;
