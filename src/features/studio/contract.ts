import { Type } from 'typebox';
import { lookup, submit } from '#domain/call.ts';
import { StateOfJob } from '#domain/jobs.ts';
import { Code, Nullable, RowId } from '#domain/wire.ts';

/** What a file of another installation says that it is. */
export const FORMAT = 'reflow-definitions-1';

/** A definition or a change as the grammar of definitions has it; the check says in words what is wrong with it. */
const Json = Type.Record(Type.String(), Type.Unknown());
const Words = Type.Object({ zh: Type.String(), en: Type.String() });

/** What a part of a draft or of a publish is laid over: whoever reads it sees what it was, and what it becomes. */
const Before = Type.Object({
  /** The module as it was; null where the part brings it. */
  definition: Type.Union([Json, Type.Null()]),
  /** The option lists of its fields, and those that the part says. */
  options: Json,
  /** Of the menu alone: its tree. */
  menu: Type.Array(Type.Unknown()),
  /** By role what it may do in the module; of a publish that is over nobody keeps it. */
  rights: Type.Record(Type.String(), Type.Array(Type.String())),
});

/** What people call that of which a change holds the name alone. */
const Names = Type.Object({
  modules: Type.Record(Type.String(), Words),
  /** By module the fields of those that are referred to. */
  fields: Type.Record(Type.String(), Type.Record(Type.String(), Words)),
  roles: Type.Record(Type.String(), Words),
  /** The columns that every list has. */
  standard: Type.Record(Type.String(), Words),
});

/** Who the roles are whose rights a part gives: the ids of their rows by code. */
const Roles = Type.Record(Type.String(), RowId);

/** A part of a draft: what it changes of one module, or of the menu. */
const Part = Type.Object({
  module: Type.String(),
  change: Json,
  /** Of the part: whoever saves says which one he saw. */
  version: Type.Integer(),
  updateBy: Type.String(),
  updateTime: Type.Integer(),
  roles: Roles,
  before: Before,
});

/** A draft with what it changes. Rule: definitions#drafts. */
export const readDraft = lookup({
  path: '/api/sysDraft/read.json',
  right: 'sysDraft:list',
  input: Type.Object({ id: RowId }),
  data: Type.Object({
    id: RowId,
    name: Type.String(),
    version: Type.Integer(),
    status: Type.String(),
    /** What it was published as. */
    publishId: Type.Union([RowId, Type.Null()]),
    parts: Type.Array(Part),
    names: Names,
  }),
});

/** The drafts that are open, the last one worked on first; where one's own can be gone on with. */
export const openDrafts = lookup({
  path: '/api/sysModule/openDrafts.json',
  right: 'sysModule:configure',
  input: Type.Object({}),
  data: Type.Object({
    items: Type.Array(
      Type.Object({ id: RowId, name: Type.String(), createBy: Type.String(), modules: Type.Array(Type.String()) }),
    ),
  }),
});

/**
 * What the editor of a module needs: the module as it is published, what of it is shipped and so law, and the names that
 * a change may use. Rule: definitions#drafts.
 */
export const readModule = lookup({
  path: '/api/sysModule/read.json',
  right: 'sysModule:configure',
  input: Type.Object({ module: Code }),
  data: Type.Object({
    module: Type.String(),
    current: Type.Union([Json, Type.Null()]),
    shipped: Type.Union([Json, Type.Null()]),
    options: Json,
    /** The columns of its table, also those of fields that were taken back: a field of such a name has to be of their type. */
    columns: Type.Array(Type.String()),
    /** About how many rows its table holds, for who may see all of them. */
    rowCount: Nullable(Type.Integer()),
    /** By option list, the modules whose fields have it: what is changed of a list is changed for all of them. */
    optionUses: Type.Record(Type.String(), Type.Array(Type.String())),
    menu: Type.Array(Type.Unknown()),
    /** The columns that every list has, by what they are called. */
    standard: Type.Record(Type.String(), Words),
    /** Modules that a field may refer to, with the fields that tell one row from the others. */
    modules: Type.Array(
      Type.Object({
        module: Type.String(),
        label: Words,
        fields: Type.Record(Type.String(), Words),
        keys: Type.Array(Type.String()),
        /** By which its rows are found without reading all of them. */
        indexed: Type.Array(Type.String()),
      }),
    ),
    /** What a new button of this module may do. */
    scripts: Type.Array(Type.String()),
    /** Who has which rights of this module; one that may more than who asks is changed by others. */
    roles: Type.Array(
      Type.Object({
        roleId: Type.String(),
        id: RowId,
        label: Words,
        rights: Type.Array(Type.String()),
        mayMore: Type.Boolean(),
      }),
    ),
  }),
});

/**
 * Keeps what a draft changes of one module; null takes the module out of it. Refused when somebody saved it meanwhile
 * (100025, with what he saved), and when the draft is published. `roles` says who the roles are whose rights it gives, as they were
 * shown. What is wrong with the change is no refusal, as a draft may be
 * unfinished, as long as each of its parts is of its kind. Rule: definitions#drafts.
 */
export const saveChange = submit({
  path: '/api/sysModule/saveChange.json',
  right: 'sysModule:configure',
  input: Type.Object({
    draftId: RowId,
    module: Code,
    version: Type.Integer({ minimum: 0 }),
    change: Type.Union([Json, Type.Null()]),
    roles: Type.Optional(Roles),
  }),
  data: Type.Object({ version: Type.Integer() }),
});

/**
 * A draft with a new module and its entry at the end of a group of the menu: what is shown at once beside its editor. Refused
 * where a module of that name is there. Rule: definitions#drafts.
 */
export const createModule = submit({
  path: '/api/sysModule/create.json',
  right: 'sysModule:newModule',
  input: Type.Object({
    name: Type.String({ minLength: 1, maxLength: 100 }),
    definition: Json,
    options: Type.Optional(Json),
    group: Code,
  }),
  data: Type.Object({ draftId: RowId }),
});

const problem = {
  kind: Type.String(),
  rule: Type.Optional(Type.String()),
  module: Type.String(),
  /** Where in the module, as `fields.amount.maxLength`. */
  path: Type.String(),
  name: Type.String(),
  /** Of how many values or rows it is said. */
  count: Type.Optional(Type.Integer()),
  /** Of what was set aside: what it is called since. */
  keptAs: Type.Optional(Type.String()),
  suggestion: Type.Optional(Type.String()),
};
const Problem = Type.Object(problem);

const Answer = Type.Union([Type.Literal('keep'), Type.Literal('empty')]);

const Contents = Type.Object({
  module: Type.String(),
  /** Left out: what the table of the new module holds. */
  field: Type.Optional(Type.String()),
  table: Type.String(),
  /** Rows or values, as far as anybody counts them; left out where that takes too long, and for who may not see all of them. */
  count: Type.Optional(Type.Integer()),
  answer: Type.Optional(Answer),
  /** What may be answered beside another name. */
  may: Type.Array(Answer),
});

const Broken = Type.Object({
  module: Type.String(),
  field: Type.String(),
  rule: Type.String(),
  /** How many rows break it, and the first of them. */
  count: Type.Integer(),
  ids: Type.Array(RowId),
});

const Use = Type.Object({
  module: Type.String(),
  field: Type.String(),
  /** Of what kind it is: a saved view, another module's reference, a rule of another field, a place of the module itself. */
  kind: Type.String(),
  name: Words,
});

/**
 * What is wrong with a draft, each at its place; what publishing it would do to the database; the rows that break a rule
 * which it tightens; and what uses the fields that it alters. Rule: definitions#drafts.
 */
export const checkDraft = lookup({
  path: '/api/sysDraft/check.json',
  right: 'sysDraft:list',
  input: Type.Object({ id: RowId }),
  data: Type.Object({
    /** In the way of a publish. */
    problems: Type.Array(Problem),
    /** Told, and published all the same. */
    warnings: Type.Array(Problem),
    /** What is still there under the names of what the draft makes. */
    contents: Type.Array(Contents),
    statements: Type.Array(
      Type.Object({
        sql: Type.String(),
        table: Type.String(),
        /** About how many its table holds, for who may see all of them. */
        rows: Nullable(Type.Integer()),
        /** Whether it is done beside whoever writes, before everything else. */
        beside: Type.Boolean(),
      }),
    ),
    broken: Type.Array(Broken),
    uses: Type.Array(Use),
  }),
});

/** How a publish or a taking back stands: it is a job. */
const Publishing = Type.Object({
  jobId: RowId,
  state: StateOfJob,
  /** Counted as `publishStepOf` says them. */
  progress: Type.Integer(),
  total: Nullable(Type.Integer()),
  /** Who ordered it. */
  userId: Type.String(),
  userName: Type.String(),
  /** Whose publish it waits for, and since when that works; without a user, a server that starts. */
  waitsFor: Nullable(Type.Object({ userId: Type.String(), userName: Type.String(), since: Type.Integer() })),
  /** The version of the draft that is published; null of a taking back. */
  version: Nullable(Type.Integer()),
  /** The number of the publish once it is done. */
  id: Nullable(RowId),
  /** What the database can't hold yet, and what its place is called; nothing where it is all modules. */
  leftOut: Type.Array(Type.Object({ ...problem, place: Words })),
  /** Why it failed, in words, and all that was found wrong. */
  msg: Type.String(),
  found: Type.Array(Problem),
});

/** The last job that published a draft, or took a publish back; null where there was none. */
const Last = Type.Object({ last: Nullable(Publishing) });

/**
 * Publishes a draft as it was seen, by a job: all of it or nothing. Waits a while for it and says how it stands then; what
 * the job refuses by then is refused. Asked for again while it runs it is the same job. Not a submit: its transaction is the
 * job's. Rule: definitions#publishing.
 */
export const publishDraft = lookup({
  method: 'POST',
  path: '/api/sysDraft/publish.json',
  right: 'sysDraft:publish',
  input: Type.Object({
    id: RowId,
    version: Type.Integer(),
    note: Type.String({ minLength: 1, maxLength: 500 }),
  }),
  data: Publishing,
});

/** How the publishing of a draft stands: for whoever may see the draft. */
export const readPublishing = lookup({
  path: '/api/sysDraft/readPublishing.json',
  right: 'sysDraft:list',
  input: Type.Object({ id: RowId }),
  data: Last,
});

/** Takes a publish back, or all that count since it; columns and rows stay. A job, as `publishDraft`. */
export const takeBack = lookup({
  method: 'POST',
  path: '/api/sysPublish/takeBack.json',
  right: 'sysPublish:takeBack',
  input: Type.Object({
    id: RowId,
    since: Type.Boolean(),
    note: Type.String({ minLength: 1, maxLength: 500 }),
  }),
  data: Publishing,
});

/** How the taking back of a publish stands: for whoever may see the history. */
export const readTakingBack = lookup({
  path: '/api/sysPublish/readTakingBack.json',
  right: 'sysPublish:list',
  input: Type.Object({ id: RowId }),
  data: Last,
});

const Change = Type.Object({ module: Code, change: Json });

/**
 * All that is published over what is shipped, one change a module: a file for another installation. Rights stay at home.
 * Rule: definitions#between-installations.
 */
export const exportPublished = lookup({
  path: '/api/sysPublish/exportPublished.json',
  right: 'sysPublish:exportPublished',
  input: Type.Object({}),
  data: Type.Object({ format: Type.String(), changes: Type.Array(Change) }),
});

/**
 * Makes a draft of another installation's file: what is here already is left out. Refused where all of it is. What can't be
 * laid over what is here the check says, as of any draft. Rule: definitions#between-installations.
 */
export const importDraft = submit({
  path: '/api/sysDraft/importDraft.json',
  right: 'sysDraft:importDraft',
  input: Type.Object({
    name: Type.String({ minLength: 1, maxLength: 100 }),
    format: Type.Literal(FORMAT),
    changes: Type.Array(Change, { minItems: 1, maxItems: 500 }),
  }),
  data: Type.Object({ draftId: RowId, count: Type.Integer() }),
});

/** What a publish changed, or what it took back. */
export const readPublish = lookup({
  path: '/api/sysPublish/read.json',
  right: 'sysPublish:list',
  input: Type.Object({ id: RowId }),
  data: Type.Object({
    id: RowId,
    userId: Type.String(),
    userName: Type.String(),
    at: Type.Integer(),
    note: Type.String(),
    isInForce: Type.Boolean(),
    /**
     * Why it can't be applied, though it counts: the server was started without it. Of one that counts no more, what it had
     * brought and a version has set aside since.
     */
    trouble: Type.Array(Problem),
    takesBack: Type.Array(RowId),
    parts: Type.Array(Type.Object({ module: Type.String(), change: Json, before: Before })),
    names: Names,
  }),
});
