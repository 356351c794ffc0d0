import { useEffect, useMemo, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useDataProvider, useListContext, useTranslate } from 'ra-core';
import { MaterialValueEditor, MaterialValueSelector, QueryBuilderMaterial } from '@react-querybuilder/material';
import { QueryBuilder, type Field, type ValueEditorProps, type VersatileSelectorProps } from 'react-querybuilder';
import 'react-querybuilder/dist/query-builder.css';
import Close from '@mui/icons-material/Close';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import {
  EMPTY_QUERY,
  groupOf,
  type Query,
  rulesFirst,
  type SearchColumn,
  searchColumnsOf,
} from '#app/engine/advancedQuery.ts';
import { ADVANCED, type EngineProvider } from '#app/dataProvider.ts';
import { useNotices } from '#app/notify.ts';
import { useLanguage } from '#app/session.ts';

/** Conditions and groups of conditions; opened empty each time, applied as they are. Spec 1 section 2, advanced search. */
export default function AdvancedSearchDialog({ menuNo, onClose }: { menuNo: string; onClose: () => void }) {
  const translate = useTranslate();
  const { setFilters } = useListContext();
  const [query, setQuery] = useState<Query>(EMPTY_QUERY);
  const data = useMetadata(menuNo, onClose);
  const columns = useMemo(() => (data ? searchColumnsOf(data) : []), [data]);
  const connectors = ['AND', 'OR'].map((name) => ({ name, label: translate(`shell.advanced.${name}`) }));
  const relations = Object.entries(data?.relations ?? {}).map(([name, label]) => ({
    name,
    label,
    ...(name.endsWith('NULL') && { arity: 'unary' as const }),
  }));

  const apply = () => {
    setFilters(query.rules.length > 0 ? { [ADVANCED]: JSON.stringify(groupOf(query, columns)) } : {}, {});
    onClose();
  };

  return (
    <Dialog
      open={data !== undefined}
      onClose={onClose}
      maxWidth={false}
      slotProps={{ paper: { sx: { maxWidth: 800 } } }}
    >
      <DialogTitle>{translate('shell.advanced.title')}</DialogTitle>
      <DialogContent>
        <Box sx={builderSx}>
          <QueryBuilderMaterial>
            <QueryBuilder
              query={query}
              onQueryChange={(it: Query) => setQuery(rulesFirst(it))}
              fields={columns.map(fieldOf)}
              operators={relations}
              combinators={connectors}
              controlElements={named}
              getDefaultOperator={() => 'EQUAL_TO'}
              maxLevels={2}
              addRuleToNewGroups
              enableMountQueryChange={false}
              translations={translationsOf(translate)}
            />
          </QueryBuilderMaterial>
        </Box>
        <Box sx={{ mt: 2, fontSize: 12, color: 'text.secondary' }}>{translate('shell.advanced.hint')}</Box>
      </DialogContent>
      <DialogActions>
        <Button variant="outlined" size="medium" onClick={onClose}>
          {translate('ra.action.cancel')}
        </Button>
        <Button variant="contained" size="medium" onClick={apply}>
          {translate('shell.advanced.apply')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function useMetadata(menuNo: string, onFail: () => void) {
  const translate = useTranslate();
  const notices = useNotices();
  const language = useLanguage();
  const provider = useDataProvider<EngineProvider>();
  const { data, error } = useQuery({
    queryKey: [menuNo, 'searchMetadata', language],
    queryFn: () => provider.searchMetadata(menuNo),
    staleTime: 60_000,
  });
  useEffect(() => {
    if (!error) return;
    notices.failed(translate('shell.advanced.title'), error);
    onFail();
  }, [error, notices, translate, onFail]);
  return data;
}

/** The library's controls say what they are only to a mouse. */
const NamedSelector = (props: VersatileSelectorProps) => (
  <MaterialValueSelector {...props} SelectDisplayProps={{ 'aria-label': props.title }} />
);
const NamedEditor = (props: ValueEditorProps) => (
  <Box component="label">
    <Box component="span" sx={unseen}>
      {props.title}
    </Box>
    <MaterialValueEditor {...props} />
  </Box>
);
const unseen = { position: 'absolute', width: '1px', height: '1px', overflow: 'hidden', clipPath: 'inset(50%)' };
const named = {
  fieldSelector: NamedSelector,
  operatorSelector: NamedSelector,
  combinatorSelector: NamedSelector,
  valueEditor: NamedEditor,
};

const fieldOf = ({ name, label, input, options }: SearchColumn): Field => ({
  name,
  label,
  defaultValue: '',
  ...(input === 'select'
    ? {
        valueEditorType: 'select' as const,
        values: [{ name: '', label: '' }, ...options.map((it) => ({ name: it.value, label: it.optionName }))],
      }
    : { inputType: input }),
});

function translationsOf(translate: ReturnType<typeof useTranslate>) {
  const say = (key: string) => translate(`shell.advanced.${key}`);
  return {
    addRule: { label: say('addRule'), title: say('addRule') },
    addGroup: { label: say('addGroup'), title: say('addGroup') },
    removeRule: { label: <Close titleAccess={say('removeRule')} sx={{ fontSize: 16 }} />, title: say('removeRule') },
    removeGroup: { label: say('removeGroup'), title: say('removeGroup') },
    combinators: { title: say('connector') },
    fields: { title: say('column') },
    operators: { title: say('relation') },
    value: { title: say('value') },
  };
}

const builderSx = {
  minHeight: 160,
  '& .ruleGroup': { bgcolor: 'transparent', borderColor: 'divider', borderRadius: 1, p: 2, gap: 2 },
  '& .ruleGroup-body': { gap: 2 },
  '& .rule': { gap: 2, flexWrap: 'wrap' },
  '& .MuiFormControl-root': { minWidth: 120 },
  '& .rule-fields, & .rule-operators, & .rule-value': { minWidth: 150 },
  '& .MuiInputBase-root': {
    height: 32,
    px: 2,
    fontSize: 13,
    border: 1,
    borderColor: 'divider',
    borderRadius: 1,
    bgcolor: 'background.paper',
    '&::before, &::after': { display: 'none' },
    '&.Mui-focused': { borderColor: 'primary.main' },
  },
  '& .MuiButton-root': {
    bgcolor: 'transparent',
    color: 'text.primary',
    border: 1,
    borderColor: 'divider',
    minWidth: 32,
    '&:hover': { bgcolor: 'action.hover' },
  },
  '& .rule-remove': { ml: 'auto' },
  // A group holds rules; a group in a group is more than the payload's shape has.
  '& .ruleGroup .ruleGroup .ruleGroup-addGroup': { display: 'none' },
} as const;
