import { useEffect, useRef, useState, type DragEvent, type KeyboardEvent } from 'react';
import { dequal } from 'dequal/lite';
import { useTranslate } from 'ra-core';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import ArrowDownward from '@mui/icons-material/ArrowDownward';
import ArrowUpward from '@mui/icons-material/ArrowUpward';
import Close from '@mui/icons-material/Close';
import DragIndicator from '@mui/icons-material/DragIndicator';
import FormatIndentDecrease from '@mui/icons-material/FormatIndentDecrease';
import FormatIndentIncrease from '@mui/icons-material/FormatIndentIncrease';
import Visibility from '@mui/icons-material/VisibilityOutlined';
import VisibilityOff from '@mui/icons-material/VisibilityOffOutlined';
import type { MenuNode } from '#domain/definition/grammar.ts';
import { Choice } from '#app/parts/Choice.tsx';
import { IconAction } from '#app/parts/IconAction.tsx';
import { useLanguage } from '#app/session.ts';
import { iconNames, MenuIcon } from '#app/shell/icons.tsx';
import { codeSx, cutSx } from '#app/theme.ts';
import { AddName } from './AddName.tsx';
import { EditorFrame, type EditorChoice } from './EditorFrame.tsx';
import { NewOption } from './NewOption.tsx';
import { PreviewFrame } from './PreviewFrame.tsx';
import { alteredInMenu, movedInMenu, namesInMenu, placedInMenu, withoutNode, type MenuMove } from './rules.menu.ts';
import { useDraftPart, type GivenPart } from './useDraftPart.ts';
import { useProblemSentence } from './useProblemSentence.ts';
import { WordsField } from './WordsField.tsx';

interface Props extends GivenPart, EditorChoice {
  menuNo: string;
}

/** The menu as a tree: moved by drag, by buttons or by Alt and the arrow keys, beside the menu as it will be. Rule: definitions#published-changes. */
export function MenuEditor({ menuNo, model, draftId, part, ...choice }: Props) {
  const translate = useTranslate();
  const lang = useLanguage();
  const say = (key: string, args?: object) => translate(`studio.menu.${key}`, args);
  const editing = useDraftPart({ model, draftId, part }, say('title'));
  const sentenceOf = useProblemSentence();
  const published = model.menu as MenuNode[];
  const tree = editing.change.menu ?? published;
  const edit = (to: MenuNode[]) => editing.edit(dequal(to, published) ? {} : { ...editing.change, menu: to });
  const there = namesInMenu(tree);
  const labels = new Map(model.modules.map((it) => [`${it.module}List`, it.label]));
  const labelOf = (node: Pick<MenuNode, 'menuNo' | 'label'>) =>
    (node.label ?? labels.get(node.menuNo))?.[lang] ?? node.menuNo;
  return (
    <EditorFrame
      {...choice}
      menuNo={menuNo}
      editing={editing}
      preview={
        <PreviewFrame
          menuNo="home"
          draftId={editing.draftId}
          isForm={false}
          checkedAt={editing.checkedAt}
          isChecked={editing.isChecked}
          isBroken={editing.found.length > 0}
          canAdd={false}
          hasMenu
        />
      }
    >
      <Box sx={{ display: 'flex', flexDirection: 'column', gap: 3 }}>
        {editing.found.map((it) => (
          <Alert key={it.path + it.kind + it.name} severity="error" sx={{ py: 0 }}>
            {sentenceOf(it)}
          </Alert>
        ))}
        <Box sx={{ fontSize: 13, color: 'text.secondary' }}>{say('hint')}</Box>
        <MenuTree tree={tree} isNew={(it) => !namesInMenu(published).includes(it)} labelOf={labelOf} onChange={edit} />
        <AddName
          names={[...labels.keys()].filter((it) => !there.includes(it))}
          labelOf={(it) => labelOf({ menuNo: it })}
          onAdd={(it) => edit([...tree, { menuNo: it }])}
        />
        <NewOption
          kind="newGroup"
          taken={there}
          onAdd={({ value, label }) => edit([...tree, { menuNo: value, label, children: [] }])}
        />
      </Box>
    </EditorFrame>
  );
}

interface TreeProps {
  tree: readonly MenuNode[];
  /** Of this draft alone: it may go again. */
  isNew: (menuNo: string) => boolean;
  labelOf: (node: MenuNode) => string;
  onChange: (tree: MenuNode[]) => void;
}

const keys: Partial<Record<string, MenuMove>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowRight: 'in',
  ArrowLeft: 'out',
};

function MenuTree({ tree, isNew, labelOf, onChange }: TreeProps) {
  const translate = useTranslate();
  const say = (key: string, args?: object) => translate(`studio.menu.${key}`, args);
  const [open, setOpen] = useState<string | null>(null);
  const [dragged, setDragged] = useState<string | null>(null);
  const [over, setOver] = useState<string | null>(null);
  const root = useRef<HTMLUListElement>(null);
  const moved = useRef<string | null>(null);
  // What was moved keeps the focus: it may stand in another list now.
  useEffect(() => {
    if (moved.current === null) return;
    root.current?.querySelector<HTMLElement>(`[data-menu="${moved.current}"]`)?.focus();
    moved.current = null;
  }, [tree]);
  const move = (menuNo: string, to: MenuMove) => {
    moved.current = menuNo;
    onChange(movedInMenu(tree, menuNo, to));
  };
  const onKeyDown = (menuNo: string) => (event: KeyboardEvent) => {
    const to = keys[event.key];
    if (!event.altKey || !to) return;
    event.preventDefault();
    move(menuNo, to);
  };
  const drop = (node: MenuNode) => (event: DragEvent) => {
    event.stopPropagation();
    if (dragged !== null)
      onChange(placedInMenu(tree, dragged, node.children ? { into: node.menuNo } : { before: node.menuNo }));
    setDragged(null);
    setOver(null);
  };
  const rows = (nodes: readonly MenuNode[], level: number) =>
    nodes.map((node, i) => {
      const { menuNo, label, icon, hidden, children } = node;
      const name = labelOf(node);
      const isOpen = open === menuNo;
      return (
        <Box component="li" key={menuNo}>
          <Box
            onDragOver={(event) => {
              event.preventDefault();
              setOver(menuNo);
            }}
            onDrop={drop(node)}
            sx={{
              display: 'flex',
              alignItems: 'center',
              gap: 1,
              height: 36,
              pl: 1 + (level - 1) * 5,
              pr: 1,
              borderTop: 1,
              borderColor: 'divider',
              ...(over === menuNo &&
                dragged !== null &&
                dragged !== menuNo && {
                  boxShadow: (it) => `inset 0 ${children ? -2 : 2}px ${it.palette.primary.main}`,
                }),
            }}
          >
            <DragIndicator aria-hidden sx={{ fontSize: 16, color: 'text.disabled', cursor: 'grab' }} />
            <ButtonBase
              data-menu={menuNo}
              draggable
              aria-label={say('node', { name, level, place: i + 1 })}
              {...(children && { 'aria-expanded': isOpen })}
              onClick={() => setOpen(isOpen || !children ? null : menuNo)}
              onDragStart={() => setDragged(menuNo)}
              onDragEnd={() => {
                setDragged(null);
                setOver(null);
              }}
              onKeyDown={onKeyDown(menuNo)}
              sx={{
                flex: { xs: 1, sm: 'none' },
                minWidth: 0,
                height: 1,
                gap: 2,
                justifyContent: 'flex-start',
                fontSize: 13,
              }}
            >
              {children && level === 1 && <MenuIcon name={icon} />}
              <Box
                component="span"
                sx={{
                  ...cutSx,
                  fontWeight: children ? 600 : 400,
                  ...(hidden && { textDecoration: 'line-through', color: 'text.secondary' }),
                }}
              >
                {name}
              </Box>
            </ButtonBase>
            <Box
              component="code"
              sx={{
                ...codeSx,
                ...cutSx,
                flex: 1,
                display: { xs: 'none', sm: 'block' },
                fontSize: 12,
                color: 'text.secondary',
              }}
            >
              {menuNo}
            </Box>
            {(
              [
                ['up', ArrowUpward],
                ['down', ArrowDownward],
                ['out', FormatIndentDecrease],
                ['in', FormatIndentIncrease],
              ] as const
            ).map(([to, Icon]) => (
              <IconAction
                key={to}
                size={14}
                label={say(`moves.${to}`, { name })}
                Icon={Icon}
                disabled={
                  (to === 'up' && i === 0) ||
                  (to === 'down' && i === nodes.length - 1) ||
                  (to === 'out' && level === 1) ||
                  (to === 'in' && nodes[i - 1]?.children === undefined)
                }
                onClick={() => move(menuNo, to)}
              />
            ))}
            <IconAction
              size={16}
              label={say(hidden ? 'show' : 'hide', { name })}
              Icon={hidden ? VisibilityOff : Visibility}
              onClick={() => onChange(alteredInMenu(tree, menuNo, { hidden: hidden ? null : true }))}
            />
            {(isNew(menuNo) || children?.length === 0) && (
              <IconAction
                size={14}
                label={translate('studio.order.out', { name })}
                Icon={Close}
                disabled={children !== undefined && children.length > 0}
                onClick={() => onChange(withoutNode(tree, menuNo))}
              />
            )}
          </Box>
          {isOpen && children && label && (
            <Box sx={{ display: 'flex', flexDirection: 'column', gap: 3, p: 3 }}>
              <WordsField
                label={translate('studio.field.label')}
                value={label}
                onChange={(to) => onChange(alteredInMenu(tree, menuNo, { label: to }))}
              />
              <Choice
                label={say('icon')}
                value={icon ?? ''}
                none={say('noIcon')}
                options={iconNames.map((it) => ({ value: it, label: say(`icons.${it}`) }))}
                onChange={(it) => onChange(alteredInMenu(tree, menuNo, { icon: it === '' ? null : it }))}
              />
            </Box>
          )}
          {children && (
            <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none' }}>
              {rows(children, level + 1)}
            </Box>
          )}
        </Box>
      );
    });
  return (
    <Box
      component="ul"
      ref={root}
      aria-label={say('title')}
      sx={{ m: 0, p: 0, listStyle: 'none', border: 1, borderTop: 0, borderColor: 'divider', borderRadius: 1 }}
    >
      {rows(tree, 1)}
    </Box>
  );
}
