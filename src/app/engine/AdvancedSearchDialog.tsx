import { useEffect, useMemo, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useDataProvider, useListContext, useTranslate } from 'ra-core';
import { MaterialValueSelector, QueryBuilderMaterial } from '@react-querybuilder/material';
import { QueryBuilder, type Field, type VersatileSelectorProps } from 'react-querybuilder';
import 'react-querybuilder/dist/query-builder.css';
import Close from '@mui/icons-material/Close';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import { MAX_RULES, MAX_VALUES } from '#domain/searchBounds.ts';
import {
  countRules,
  EMPTY_QUERY,
  groupOf,
  hasTooManyValues,
  type Query,
  rulesFirst,
  type SearchColumn,
  searchColumnsOf,
} from '#app/engine/advancedQuery.ts';
import { type BuilderContext, ConditionValue } from '#app/engine/ConditionValue.tsx';
import { moduleOf } from '#app/engine/module.ts';
import { ADVANCED } from '#app/engine/filterNames.ts';
import type { EngineProvider } from '#app/dataProvider.ts';
import { useNotices } from '#app/notify.ts';
import { Modal } from '#app/parts/Modal.tsx';
import { isRefusal } from '#app/send.ts';
import { useLanguage } from '#app/session.ts';

/** Conditions and groups of conditions; opened empty each time, applied as they are. Rule: lists#advanced-search. */
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

  const context = useMemo((): BuilderContext => ({ module: moduleOf(menuNo), columns }), [menuNo, columns]);
  const relationsOf = (name: string) => {
    const offered = columns.find((it) => it.name === name)?.relations;
    return offered ? relations.filter((it) => offered.includes(it.name)) : relations;
  };
  const isFull = countRules(query) >= MAX_RULES;
  const tooMany = hasTooManyValues(query);

  const apply = () => {
    setFilters(query.rules.length > 0 ? { [ADVANCED]: JSON.stringify(groupOf(query, columns)) } : {}, {});
    onClose();
  };

  return (
    <Modal title={translate('shell.advanced.title')} open={data !== undefined} onClose={onClose}>
      <DialogContent>
        <Box sx={builderSx}>
          <QueryBuilderMaterial>
            <QueryBuilder
              query={query}
              onQueryChange={(it: Query) => setQuery(rulesFirst(it))}
              fields={columns.map(fieldOf)}
              operators={relations}
              getOperators={relationsOf}
              context={context}
              onAddRule={(rule) => !isFull && rule}
              onAddGroup={(group) => !isFull && group}
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
        <Box role="status">
          {(isFull || tooMany) && (
            <Alert severity="warning" variant="outlined" sx={{ mt: 2, py: 0 }}>
              {tooMany
                ? translate('shell.advanced.tooManyValues', { max: MAX_VALUES })
                : translate('shell.advanced.tooMany', { max: MAX_RULES })}
            </Alert>
          )}
        </Box>
      </DialogContent>
      <DialogActions>
        <Button variant="outlined" size="medium" onClick={onClose}>
          {translate('ra.action.cancel')}
        </Button>
        <Button variant="contained" size="medium" disabled={tooMany} onClick={apply}>
          {translate('shell.advanced.apply')}
        </Button>
      </DialogActions>
    </Modal>
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
    // Whoever comes back after a lost session reads it anew.
    if (!error || isRefusal(error, 'noSession')) return;
    notices.failed(translate('shell.advanced.title'), error);
    onFail();
  }, [error, notices, translate, onFail]);
  return data;
}

/** The library's controls say what they are only to a mouse. */
const NamedSelector = (props: VersatileSelectorProps) => (
  <MaterialValueSelector {...props} SelectDisplayProps={{ 'aria-label': props.title }} />
);
const named = {
  fieldSelector: NamedSelector,
  operatorSelector: NamedSelector,
  combinatorSelector: NamedSelector,
  valueEditor: ConditionValue,
};

const fieldOf = ({ name, label }: SearchColumn): Field => ({ name, label, defaultValue: '' });

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

// Under `.ruleGroup`, so that the library's own sheet does not win.
const builderSx = {
  minHeight: 160,
  '& .ruleGroup.ruleGroup': {
    position: 'relative',
    bgcolor: 'transparent',
    borderColor: 'divider',
    borderRadius: 1,
    p: 2,
    pl: { sm: '96px' },
    gap: 2,
  },
  '& .ruleGroup .rule': {
    display: 'grid',
    gap: 2,
    alignItems: 'start',
    gridTemplateColumns: {
      xs: 'minmax(0, 1fr) auto',
      sm: 'minmax(120px, 180px) minmax(100px, 140px) minmax(0, 1fr) auto',
    },
  },
  '& .ruleGroup .rule > *': { minWidth: 0, width: '100%', m: 0 },
  // On a phone column, relation and value stand under each other, and the way to take them away beside the column.
  '& .ruleGroup .rule > .rule-remove': { gridColumn: { xs: 2, sm: 4 }, gridRow: 1, width: 32 },
  '& .ruleGroup .rule > .rule-operators, & .ruleGroup .rule > .rule-value': {
    gridColumn: { xs: '1 / -1', sm: 'auto' },
  },
  // The connector stands in the middle of a rail that holds together what it joins.
  '& .ruleGroup .ruleGroup-body': {
    borderLeft: { sm: '2px solid' },
    borderColor: { sm: 'primary.main' },
    pl: { sm: 3 },
    gap: 2,
  },
  '& .ruleGroup .ruleGroup-header': { pl: { sm: 3 } },
  // A single rule is joined to nothing.
  '& .ruleGroup.ruleGroup:not(:has(> .ruleGroup-body > .betweenRules))': { pl: 2 },
  // It takes no room of its own: beside the gap between the two that it joins, on the rail.
  '& .ruleGroup .betweenRules': { position: { sm: 'relative' }, height: { sm: 0 } },
  '& .ruleGroup .ruleGroup-combinators': {
    width: { xs: 80, sm: 76 },
    m: 0,
    position: { sm: 'absolute' },
    left: { sm: -92 },
    top: { sm: -16 },
  },
  '& .ruleGroup .MuiInputBase-root': { minHeight: 32, px: 2, py: 0, fontSize: 13, lineHeight: '20px', borderRadius: 1 },
  '& .ruleGroup .MuiInputBase-input': { p: 0, minHeight: 0, height: 'auto', lineHeight: '20px' },
  '& .ruleGroup .MuiSelect-select.MuiSelect-select': { minHeight: 0, pr: 6 },
  '& .ruleGroup .MuiInput-root': {
    height: 32,
    border: 1,
    borderColor: 'outline',
    m: 0,
    '&::before, &::after': { display: 'none' },
    '&.Mui-focused': { borderColor: 'primary.main' },
  },
  '& .ruleGroup .MuiButton-root': {
    bgcolor: 'transparent',
    color: 'text.primary',
    border: 1,
    borderColor: 'divider',
    minWidth: 32,
    '&:hover': { bgcolor: 'action.hover' },
  },
  // A group holds rules; a group in a group is more than the payload's shape has.
  '& .ruleGroup .ruleGroup .ruleGroup-addGroup': { display: 'none' },
} as const;
