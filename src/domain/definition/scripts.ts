/** What a button may do without any code of its module: the engine does it on both sides. */
export const genericScripts = ['create', 'modify', 'deleteById', 'deleteAll', 'detail'] as const;
