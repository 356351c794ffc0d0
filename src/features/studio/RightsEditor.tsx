import { useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import type { DefinitionChange } from '#domain/definition/change.ts';
import type { Definition } from '#domain/definition/grammar.ts';
import { GroupCheckbox } from '#app/parts/GroupCheckbox.tsx';
import { SideScroll } from '#app/parts/SideScroll.tsx';
import { useLanguage } from '#app/session.ts';

interface Role {
  roleId: string;
  label: { zh: string; en: string };
  rights: string[];
}

interface Props {
  laid: Definition;
  roles: readonly Role[];
  change: DefinitionChange;
  onChange: (to: DefinitionChange) => void;
}

const LIST = 'list';
const EVERYTHING = '*';

/** Who may do what here, all of it at once or one by one: a button brings its list, without the list there is no button. */
export function RightsEditor({ laid, roles, change, onChange }: Props) {
  const translate = useTranslate();
  const lang = useLanguage();
  const say = (key: string, args?: object) => translate(`studio.rights.${key}`, args);
  const columns = [
    { button: LIST, label: say(LIST) },
    ...(laid.buttons ?? []).map((it) => ({ button: it.btnNo, label: it.label[lang] })),
  ];
  const heldBy = (role: Role) => change.rights?.[role.roleId] ?? role.rights;
  const toggle = (role: Role, button: string, isOn: boolean) => {
    const held = new Set(heldBy(role).filter((it) => it !== EVERYTHING));
    if (isOn) for (const it of [LIST, button]) held.add(it);
    else if (button === LIST) held.clear();
    else held.delete(button);
    give(role, held);
  };
  const give = (role: Role, held: Iterable<string>) =>
    onChange({ ...change, rights: { ...change.rights, [role.roleId]: [...held].sort() } });
  return (
    <SideScroll sx={{ border: 1, borderColor: 'divider', borderRadius: 1 }}>
      <Table size="small" aria-label={say('title')}>
        <TableHead>
          <TableRow>
            <TableCell sx={{ whiteSpace: 'nowrap' }}>{say('role')}</TableCell>
            <TableCell align="center">{say('all')}</TableCell>
            {columns.map((it) => (
              <TableCell key={it.button} align="center" sx={{ whiteSpace: 'nowrap' }}>
                {it.label}
              </TableCell>
            ))}
          </TableRow>
        </TableHead>
        <TableBody>
          {roles.map((role) => {
            const held = heldBy(role);
            const hasAll = held.includes(EVERYTHING);
            const count = hasAll ? columns.length : columns.filter((it) => held.includes(it.button)).length;
            return (
              <TableRow key={role.roleId}>
                <TableCell component="th" scope="row" sx={{ whiteSpace: 'nowrap' }}>
                  {role.label[lang]}
                  {hasAll && (
                    <Box component="span" sx={{ ml: 2, fontSize: 12, color: 'text.secondary' }}>
                      {say('everything')}
                    </Box>
                  )}
                </TableCell>
                <TableCell align="center" padding="none">
                  <GroupCheckbox
                    label={say('may', { role: role.label[lang], button: say('all') })}
                    count={count}
                    of={columns.length}
                    disabled={hasAll}
                    onChange={(_, to) => give(role, to ? columns.map((it) => it.button) : [])}
                  />
                </TableCell>
                {columns.map((it) => (
                  <TableCell key={it.button} align="center" padding="none">
                    <Checkbox
                      size="small"
                      checked={hasAll || held.includes(it.button)}
                      disabled={hasAll}
                      slotProps={{ input: { 'aria-label': say('may', { role: role.label[lang], button: it.label }) } }}
                      onChange={(event) => toggle(role, it.button, event.target.checked)}
                    />
                  </TableCell>
                ))}
              </TableRow>
            );
          })}
        </TableBody>
      </Table>
    </SideScroll>
  );
}
