import { Link } from 'react-router-dom';
import { useTranslate } from 'ra-core';
import Badge from '@mui/material/Badge';
import IconButton from '@mui/material/IconButton';
import Tooltip from '@mui/material/Tooltip';
import BugReportOutlined from '@mui/icons-material/BugReportOutlined';
import { useUnreadErrors } from '#app/errorLog.ts';
import { useUser } from '#app/session.ts';

const ERROR_LOG = '/error_logger_page';

/**
 * How many captured errors nobody has looked at, for who can do something about them: whoever may see everybody's.
 * Configuration may leave it out. Rule: screens#errors.
 */
export function ErrorIcon() {
  const translate = useTranslate();
  const unread = useUnreadErrors();
  const label = translate('shell.errorLog.icon', { count: unread });
  const user = useUser();
  if (user?.errorLogIcon === false || !user?.access.includes('errorLog:list')) return null;
  return (
    <Tooltip title={label}>
      <IconButton component={Link} to={ERROR_LOG} aria-label={label} size="small">
        <Badge
          badgeContent={unread || null}
          max={99}
          color="error"
          slotProps={{ badge: { sx: { fontSize: 10, height: 16, minWidth: 16 } } }}
        >
          <BugReportOutlined fontSize="small" />
        </Badge>
      </IconButton>
    </Tooltip>
  );
}
