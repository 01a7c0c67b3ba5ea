/**
 * Limits that the database itself keeps, whoever writes. Functions run as the schema's owner: a worker can neither raise a limit nor take
 * back what was spent. Each of their statements sees what was committed while they waited for a lock, which one statement alone would not.
 *
 * `fleet_limit`: what the owner has set. `door`: an account that has met its vendor's limit. `pass`: an agent that is being asked, and the
 * money that is set aside for its answer until the ledger has it. `spent`: what the ledger says, by project and day.
 */
export const LIMITS = `
create table e8.fleet_limit (
  kind text not null check (kind in ('repository', 'label', 'account', 'project')),
  name text not null,
  at_once integer check (at_once >= 0),
  per_day double precision check (per_day >= 0),
  in_all double precision check (in_all >= 0),
  reserve double precision check (reserve > 0),
  primary key (kind, name)
);
create table e8.door (
  account text primary key,
  failure json not null,
  until timestamptz not null,
  next_at timestamptz not null
);
create table e8.pass (
  pass_id bigserial primary key,
  account text not null,
  task_id text not null references e8.task on delete cascade,
  fence text not null,
  reserved double precision not null,
  is_over boolean not null default false
);
create index pass_of_task on e8.pass (task_id);
create index pass_of_account on e8.pass (account);
create table e8.spent (
  project text not null,
  day text not null,
  cost double precision not null,
  primary key (project, day)
);
insert into e8.spent (project, day, cost)
  select project, left(spending.doc ->> 'timestamp', 10), sum((spending.doc ->> 'cost_usd')::double precision)
  from e8.task join e8.spending using (task_id) group by 1, 2;

create function e8.money_left(asked text) returns double precision language plpgsql stable security definer
set search_path = pg_catalog, pg_temp as $$
declare
  set_by_owner e8.fleet_limit;
  today double precision;
  ever double precision;
  aside double precision;
begin
  select * into set_by_owner from e8.fleet_limit where kind = 'project' and name = asked;
  if set_by_owner.per_day is null and set_by_owner.in_all is null then return null; end if;
  select coalesce(sum(cost), 0), coalesce(sum(cost) filter (where day = to_char(clock_timestamp() at time zone 'utc', 'YYYY-MM-DD')), 0)
    into ever, today from e8.spent where project = asked;
  select coalesce(sum(pass.reserved), 0) into aside from e8.pass join e8.task on task.task_id = pass.task_id
    where task.project = asked and task.fence = pass.fence and task.lease_until > clock_timestamp();
  return least(set_by_owner.per_day - today, set_by_owner.in_all - ever) - aside;
end $$;

create function e8.money_for_an_answer(of_project text, of_task text) returns double precision language sql stable security definer
set search_path = pg_catalog, pg_temp as $$
  select greatest(least(coalesce(reserve, 1), per_day, in_all),
    (select max((doc ->> 'cost_usd')::double precision) from e8.spending where task_id = of_task))
  from e8.fleet_limit where kind = 'project' and name = of_project
$$;

create function e8.count_spending() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  delete from e8.pass where task_id = new.task_id and is_over;
  insert into e8.spent (project, day, cost)
    select project, left(new.doc ->> 'timestamp', 10), (new.doc ->> 'cost_usd')::double precision
    from e8.task where task_id = new.task_id and (new.doc ->> 'cost_usd')::double precision > 0
    on conflict (project, day) do update set cost = spent.cost + excluded.cost;
  return null;
end $$;
create trigger count_spending after insert on e8.spending for each row execute function e8.count_spending();
`;

const LIVE = "other.fence is not null and other.lease_until > clock_timestamp()";

/** A lease is taken only within the limits, and one that had lapsed comes back only within them: others may have taken its place meanwhile. */
const GUARD_LEASE = `
create or replace function e8.guard_lease() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  one e8.fleet_limit;
  busy integer;
  own_labels text[] := coalesce((select labels from e8.submission where task_id = new.task_id), '{}');
  left_over double precision;
  wish double precision;
  asked record;
  most integer;
begin
  for one in select * from e8.fleet_limit where at_once is not null and (
      (kind = 'repository' and name = new.doc #>> '{repository,url}') or (kind = 'label' and name = any(own_labels))
      or (kind = 'project' and name = new.project)) order by kind, name
  loop
    perform pg_advisory_xact_lock(hashtextextended('e8_schema ' || one.kind || ' ' || one.name, 0));
    select count(*) into busy from e8.task other
      where ${LIVE} and other.task_id <> new.task_id and case one.kind
        when 'repository' then other.doc #>> '{repository,url}' = one.name
        when 'project' then other.project = one.name
        else exists (select from e8.submission where submission.task_id = other.task_id and one.name = any(labels)) end;
    if busy >= one.at_once then
      raise exception using errcode = 'E8LIM', message = format('%s %s: %s at once', one.kind, one.name, one.at_once),
        detail = json_build_object('kind', one.kind, 'name', one.name, 'limit', one.at_once)::text;
    end if;
  end loop;
  left_over := e8.money_left(new.project);
  if new.fence is distinct from old.fence then
    wish := e8.money_for_an_answer(new.project, new.task_id);
  else
    for asked in select account, count(*) as agents, sum(reserved) as reserved from e8.pass
      where task_id = new.task_id and fence = new.fence and not is_over group by account order by account
    loop
      wish := coalesce(wish, 0) + asked.reserved;
      select at_once into most from e8.fleet_limit where kind = 'account' and name = asked.account;
      continue when most is null;
      perform pg_advisory_xact_lock(hashtextextended('e8_schema account ' || asked.account, 0));
      select count(*) into busy from e8.pass join e8.task on task.task_id = pass.task_id
        where pass.account = asked.account and not pass.is_over and task.fence = pass.fence and task.lease_until > clock_timestamp();
      if busy + asked.agents > most then
        raise exception using errcode = 'E8LIM', message = format('account %s: %s at once', asked.account, most),
          detail = json_build_object('kind', 'account', 'name', asked.account, 'limit', most)::text;
      end if;
    end loop;
  end if;
  if left_over < wish - 1e-9 then
    raise exception using errcode = 'E8BUD', message = format('%s has no money left', new.project),
      detail = json_build_object('project', new.project)::text;
  end if;
  return new;
end $$;
`;

/**
 * An account that was closed lets one run try first, and the others follow every five seconds. Its row is locked before that, since another
 * one may have gone first meanwhile.
 */
export const GUARDED = `${GUARD_LEASE}
drop trigger if exists guard_lease on e8.task;
create trigger guard_lease before update of fence, lease_until on e8.task for each row
  when (new.fence is not null and (new.fence is distinct from old.fence or old.lease_until <= clock_timestamp()))
  execute function e8.guard_lease();

create or replace function e8.enter(asked_account text, asked_task text, asked_fence text) returns json language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
declare
  of_project text;
  closed e8.door;
  most integer;
  busy integer;
  money double precision;
  wish double precision := 0;
  made bigint;
begin
  select project into of_project from e8.task where task_id = asked_task and fence = asked_fence;
  if of_project is null then return json_build_object('is', 'lost'); end if;
  select * into closed from e8.door where account = asked_account;
  if closed.next_at > clock_timestamp() then
    return json_build_object('is', 'closed', 'failure', closed.failure, 'next', extract(epoch from closed.next_at) * 1000);
  end if;
  select at_once into most from e8.fleet_limit where kind = 'account' and name = asked_account;
  if most is not null then
    perform pg_advisory_xact_lock(hashtextextended('e8_schema account ' || asked_account, 0));
    select count(*) into busy from e8.pass join e8.task on task.task_id = pass.task_id
      where pass.account = asked_account and not pass.is_over and task.fence = pass.fence and task.lease_until > clock_timestamp();
    if busy >= most then return json_build_object('is', 'full'); end if;
  end if;
  if exists (select from e8.fleet_limit where kind = 'project' and name = of_project and (per_day is not null or in_all is not null)) then
    perform pg_advisory_xact_lock(hashtextextended('e8_schema money ' || of_project, 0));
    delete from e8.pass where task_id = asked_task and is_over;
    wish := e8.money_for_an_answer(of_project, asked_task);
    money := e8.money_left(of_project);
    if money < wish - 1e-9 then return json_build_object('is', 'spent', 'project', of_project, 'left', money, 'wish', wish); end if;
  end if;
  if closed.account is not null then
    select * into closed from e8.door where account = asked_account for update;
    if closed.next_at > clock_timestamp() then
      return json_build_object('is', 'closed', 'failure', closed.failure, 'next', extract(epoch from closed.next_at) * 1000);
    end if;
    if closed.next_at > clock_timestamp() - interval '10 seconds' then
      update e8.door set next_at = clock_timestamp() + interval '5 seconds' where account = asked_account;
    end if;
  end if;
  delete from e8.pass where task_id = asked_task and fence <> asked_fence;
  insert into e8.pass (account, task_id, fence, reserved) values (asked_account, asked_task, asked_fence, wish) returning pass_id into made;
  return json_build_object('is', 'entered', 'pass', made);
end $$;
`;

/**
 * The task of a worker that has died keeps its place for the one that takes it up: tasks that wait for the limit would take it the moment the
 * lease lapses, which is before the line knows. A lease and a lock in the line lapse up to a quarter of a lease after each other.
 */
export const KEPT_PLACES = GUARD_LEASE.replace(
  LIVE,
  `other.fence is not null and (other.lease_until > clock_timestamp() or (other.lease_until > clock_timestamp() - interval '20 seconds'
      and exists (select from e8.submission where submission.task_id = other.task_id and cancelled_at is null and other.ending_seq <= since)))`,
);

/** For the rights: workers ask, and only the owner sets. */
export const LIMITS_RIGHTS = `
  grant insert, update, delete on e8.door to e8_role_worker;
  grant update (is_over) on e8.pass to e8_role_worker;
  grant execute on function e8.enter(text, text, text), e8.money_left(text) to e8_role_worker;
`;
