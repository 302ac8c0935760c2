// SPDX-License-Identifier: Apache-2.0
#include "tools/tiebreak/command_table.hpp"

#include <CLI/CLI.hpp>

namespace tiebreak::command {
namespace {

OptionRow row_of(const CLI::Option& option) {
  OptionRow row;
  row.help = option.get_description();
  row.is_required = option.get_required();
  row.may_repeat = option.get_items_expected_max() > 1;
  if (option.get_positional()) {
    row.names = {option.get_name(true)};
    return row;
  }
  for (const std::string& name : option.get_lnames()) row.names.push_back("--" + name);
  for (const std::string& name : option.get_snames()) row.names.push_back("-" + name);
  if (option.get_items_expected_max() == 0) return row;
  row.value = option.get_type_name();
  row.by_equals_only = row.value.starts_with("=");
  if (row.by_equals_only) row.value.erase(0, 1);
  return row;
}

CommandRow rows_below(const CLI::App& app, const std::string& parent_path, const std::string& parent_footer) {
  CommandRow row;
  row.name = app.get_name();
  row.path = (parent_path.empty() ? "" : parent_path + " ") + row.name;
  row.help = app.get_description();
  row.footer = app.get_footer() == parent_footer ? "" : app.get_footer();  // a verb inherits it
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_group().empty()) continue;
    (option->get_positional() ? row.positionals : row.options).push_back(row_of(*option));
  }
  for (const CLI::App* verb : app.get_subcommands([](const CLI::App* sub) { return !sub->get_group().empty(); })) {
    row.verbs.push_back(rows_below(*verb, row.path, app.get_footer()));
  }
  return row;
}

}  // namespace

CommandRow table_of(const CLI::App& app) { return rows_below(app, "", ""); }

}  // namespace tiebreak::command
