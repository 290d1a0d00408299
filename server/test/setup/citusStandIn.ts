/**
 * Citus is not available in most tests. This stand-in provides the functions and catalog tables that `florin migrate --citus`
 * and `florin doctor` use, so that tests can run their statements, refusals and retries.
 */
export const CITUS_STAND_IN = `
  create table pg_dist_partition (logicalrelid regclass primary key, partmethod "char", partkey text, colocated_with text);
  create table pg_dist_local_group (groupid int);
  insert into pg_dist_local_group values (0);
  create table pg_dist_node (nodename text, isactive boolean, shouldhaveshards boolean, noderole text);
  create function undistribute_table(name regclass) returns void language plpgsql as $$
    begin
      if exists (select from pg_constraint where contype = 'f' and name in (conrelid, confrelid)) then
        raise 'foreign keys of %', name;
      end if;
      delete from pg_dist_partition where logicalrelid = name;
    end $$;
  insert into pg_dist_node values ('worker-1', true, true, 'primary'), ('worker-2', true, true, 'primary');
  create table worker_setting (report json, failure text);
  insert into worker_setting values ('{}', null);
  create table broken (table_name text primary key);
  create function column_to_column_name(regclass, text) returns text language sql as 'select $2';
  create function create_distributed_table(
    name regclass, key text, colocate_with text default 'default', shard_count int default null)
  returns void language plpgsql as $$
    begin
      if exists (select from broken where table_name = name::text) then raise 'the connection broke'; end if;
      if exists (select from pg_constraint where contype = 'f' and name in (conrelid, confrelid)) then
        raise 'foreign keys of %', name;
      end if;
      insert into pg_dist_partition values (name, 'h', key, colocate_with);
    end $$;
  create function create_reference_table(name regclass) returns void language plpgsql as $$
    begin
      if exists (select from pg_constraint where contype = 'f' and name in (conrelid, confrelid)) then
        raise 'foreign keys of %', name;
      end if;
      insert into pg_dist_partition values (name, 'n', null, null);
    end $$;
  create function run_command_on_workers(command text)
  returns table (nodename text, nodeport int, success boolean, result text) language plpgsql as $$
    declare output json;
    begin
      execute command into output;
      return query
        select 'worker-1', 5432, s.failure is null, coalesce(s.failure, (output::jsonb || s.report::jsonb)::text)
        from worker_setting s;
    end $$;`
