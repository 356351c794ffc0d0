import tseslint from 'typescript-eslint';

// The walls alone: all other rules are oxlint's (.oxlintrc.json), which takes a hundredth of the time for them.

// A regex, not a group: in a group a leading # is a comment, and the wall would let everything through.
const up = { regex: '^\\.\\./', message: 'Leave the folder by its # name, never by ../' };
const main = { regex: '^#main/', message: 'What puts the rooms together: only it imports itself.' };
const features = { regex: '^#features/', message: 'What features bring is handed in: Features.' };
const otherFeatures = { regex: '^#features/', message: 'A feature never reaches into another: lift it to #domain.' };
const browser = { regex: '^#app/', message: 'Browser code.' };
const server = { regex: '^#server/|^\\./(server|queries)\\.[^/]*$', message: 'Server code.' };
const serversOfFeatures = { regex: '^\\./[^/]+/(server|queries)', message: 'Server code.' };
const screens = { regex: '\\.tsx$|/use[A-Z]\\w*\\.ts$', message: 'Browser code.' };
const insideFeatures = {
  regex: '^#features/(?!(scripts|pages|dialogs|hooks|jobs|imports|routes)\\.ts)',
  message: 'Only the registers.',
};
const muiBarrels = {
  regex: '^@mui/(material|icons-material)$',
  message: 'Import the one component: @mui/material/Button.',
};
const frozenXlsx = { regex: '^xlsx$', message: "npm's own xlsx is frozen with two CVEs." };

// Several refusals share a code, so a comparison with one means others as well. A text that looks like a code is one.
const codesOfRefusals = [
  {
    selector: 'Literal[value=/^(?!000000)[0-9]{6}$/]',
    message: 'A code that several refusals share: ask for the key, isRefusal(error, …).',
  },
  {
    selector: `:matches(BinaryExpression, SwitchCase) > Literal[raw="'401'"]`,
    message: "The code of a refusal: isRefusal(error, 'noSession').",
  },
  {
    selector: 'MemberExpression[property.name="code"] > MemberExpression[object.name="refusals"]',
    message: 'A code that several refusals share: ask for the key, isRefusal(error, …).',
  },
  {
    selector:
      'BinaryExpression[operator=/^[!=]==?$/] > MemberExpression[property.name="code"][object.name=/^(error|failure|refusal|no)$/i]',
    message: 'A code that several refusals share: ask for the key, isRefusal(error, …).',
  },
];

// A first read that is on its way when a write is over would be kept as the newest.
const readAnew = {
  selector: 'CallExpression[callee.property.name="invalidateQueries"]',
  message: 'What a write has changed is read anew by readAnew of #app/queryClient.ts.',
};

// A test that sleeps is red on a busy machine, or slow on any other one.
const insteadOfSleep = 'Wait for what is meant: vi.waitFor, expect.poll, a gate, or turns() of the event loop.';
const noSleeps = {
  'no-restricted-globals': ['error', { name: 'setTimeout', message: insteadOfSleep }],
  'no-restricted-properties': ['error', { property: 'waitForTimeout', message: insteadOfSleep }],
};
// Pages that were left stay in the document, hidden: the first of all is often one of theirs.
const hiddenOnes = {
  selector:
    'CallExpression[callee.property.name=/^(first|nth|last)$/]:not([callee.object.arguments.0.properties.0.key.name="visible"]):not([callee.object.arguments.0.properties.1.key.name="visible"])',
  message: 'Of those that can be seen: .filter({ visible: true }) comes before it.',
};

// How long a thing takes is the machine's: the settings stop what hangs, once for all tests.
const ownPatience = {
  selector:
    'CallExpression[callee.name=/^(it|test|describe|waitFor)$/] > ObjectExpression > Property[key.name="timeout"], CallExpression[callee.name=/^(it|test|before(All|Each)|after(All|Each))$/] > Literal.arguments[raw=/^[0-9_]+$/], CallExpression[callee.property.name=/^(waitFor|waitUntil|poll|find(All)?By.*|setConfig)$/] > ObjectExpression > Property[key.name=/^(timeout|testTimeout)$/]',
  message: 'No patience of its own: what is shorter than that of all fails on a busy machine.',
};

// The same words may stand in a notice over the page, for as long as it is open.
const anyAlert = {
  selector: 'CallExpression[callee.object.name="page"][callee.property.name="getByRole"][arguments.0.value="alert"]',
  message: 'Say where: notices(page) or content(page).getByRole(…).',
};

// A second no-restricted-imports for the same files would replace the first, so every ban of a room stands in its wall.
const wall = (files, ...patterns) => wallWith([], files, main, ...patterns);
const wallWithKeys = (files, ...patterns) => wallWith([...codesOfRefusals, readAnew], files, main, ...patterns);
const wallWith = (syntax, files, ...patterns) => {
  const all = [up, muiBarrels, frozenXlsx, ...patterns];
  return {
    files,
    rules: {
      'no-restricted-imports': ['error', { patterns: all }],
      'no-restricted-syntax': [
        'error',
        ...all.map((it) => ({
          selector: `ImportExpression[source.value=/${it.regex.replaceAll('/', '\\/')}/]`,
          message: it.message,
        })),
        ...syntax,
        ownPatience,
      ],
    },
  };
};

export default tseslint.config(
  { ignores: ['dist/**', 'node_modules/**', 'data/**', 'src/server/db/tables.ts'] },
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.base],
    languageOptions: { parserOptions: { ecmaFeatures: { jsx: true } } },
    // What a comment allows is oxlint's to judge.
    linterOptions: { reportUnusedDisableDirectives: 'off' },
  },
  wall(['src/domain/**'], otherFeatures, browser, server),
  wall(['src/server/**'], browser, features),
  wallWithKeys(['src/app/**'], server, features),
  wallWithKeys(['src/features/*/**/*.tsx', 'src/features/*/use*.ts'], otherFeatures, server),
  wall(['src/features/*/{server,queries}*.ts'], otherFeatures, browser),
  wallWithKeys(['src/features/*/{rules,contract}*.ts'], otherFeatures, browser, server),
  wall(['src/features/scripts.ts'], browser, server, serversOfFeatures, screens),
  wall(['src/features/{pages,dialogs}.ts'], server, serversOfFeatures),
  wall(['src/features/{routes,hooks,jobs,imports}.ts'], browser, screens),
  wallWith([], ['src/main/**/*.ts'], browser, insideFeatures),
  wallWith(codesOfRefusals, ['src/main/**/*.tsx'], server, insideFeatures),
  { files: ['src/**/*.test.{ts,tsx}', 'tests/*.test.ts', 'tests/{api,e2e}/**'], rules: noSleeps },
  {
    files: ['tests/*.test.ts', 'tests/{api,support}/**'],
    rules: { 'no-restricted-syntax': ['error', ownPatience] },
  },
  {
    files: ['tests/e2e/**', 'tests/chaos/browser/**'],
    rules: { 'no-restricted-syntax': ['error', ...codesOfRefusals, hiddenOnes, anyAlert, ownPatience] },
  },
);
