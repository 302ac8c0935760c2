// SPDX-License-Identifier: Apache-2.0
// Binds a page's op to one call. The class is split by subject: types and operands (bind_call), names and choices (bind_names),
// expressions (bind_expressions), conversions (bind_conversions), aggregates (bind_aggregates).
#pragma once
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "interpreter/bind/scope.hpp"
#include "interpreter/formula/call.hpp"
#include "interpreter/formula/formula.hpp"
#include "interpreter/semantics/library.hpp"
#include "interpreter/structure/structure.hpp"

namespace tiebreak {
namespace structure {
struct TapFacts;
}

/// What is undefined before any element is looked at is of no kind: it may stand for a number, a truth value, a format or a pair.
inline bool is_undefined(const Formula& formula, NodeId id) { return formula.is_constant(id) && formula[id].constant.is_undefined(); }

/// Of an op that gives any number of results, which one is meant: each has a geometry of its own.
struct ResultPart {
  std::size_t number = 0, count = 1;
};

/// Binds `call` under `profile`. The formula refers to the call's tensors: they must outlive it. Of several parts, result_types has the one that is meant.
Result<Formula> bind(const Semantics& semantics, const OpCall& call, ResultPart part = {});

/// The op gives any number of results of the same operands: a call with more than one stated is bound part by part.
bool gives_parts(const notation::Op& op);
/// The call for one part, its type alone stated.
OpCall call_of_part(const OpCall& call, ResultPart part);

/// The stated shape; dimensions that are stated as unknown (negative) are those of the structure.
Shape completed(const Shape& stated, const Shape& shape);

/// The header of an op that runs regions: operands and results checked against the page, constraints held, no formulas.
struct BoundHeader {
  const notation::Op* op = nullptr;
  std::vector<std::optional<TensorType>> results{};               ///< as the call states them
  std::map<std::string, std::vector<std::size_t>> operands{};     ///< positions in the call by declared name
  std::map<std::string, const notation::Alternative*> choices{};  ///< of the op, as the profile takes them
};
Result<BoundHeader> bind_header(const Semantics& semantics, const OpCall& call);

class Binder {
 public:
  Binder(const Semantics& semantics, const OpCall& call, ResultPart part = {})
      : library_(semantics.library), profile_(semantics.profile), call_(call), part_(part) {}
  Result<Formula> run();
  Result<BoundHeader> run_header();

 private:
  /// A dimension of a tensor along which its rows lie one after another, each of them a run of so many elements.
  struct RowDimension {
    std::size_t dimension;
    std::int64_t run;
  };
  /// A tensor the formulas may name: an operand or a result.
  struct TensorName {
    const notation::Operand* declaration = nullptr;
    std::string name{};              ///< the declared one; members of a variadic operand have a number
    const Tensor* tensor = nullptr;  ///< nullptr: absent, or a result
    std::optional<TensorType> type{};
    bool present = false;
    int source = -1;  ///< of its elements
    Term fallback{};  ///< value of an absent operand
    std::map<std::string, NodeId> facts{};
    std::shared_ptr<Lazy> formula{};  ///< of a result
    const std::vector<std::uint8_t>* undefined = nullptr;
    bool of_stage = false;                       ///< a stage's result
    bool for_stages = false;                     ///< an operand that stages take and the structure does not see
    std::string rows_of{};                       ///< of a stage's result with one element a row: the tensor that has the rows
    std::vector<RowDimension> row_dimensions{};  ///< that tensor's dimensions which are not reduced
  };
  struct Context {
    const Scope* scope;
    const FloatFormat* each = nullptr;  ///< inside each.F(...)
  };

  // bind_call.cpp
  Status bind_operands();
  Status bind_operand(const notation::Operand& declaration, std::size_t position, const std::string& name);
  bool is_moved_member(const notation::Operand& declaration, const std::string& name) const;
  Status bind_variadic(std::size_t first);
  Status bind_attributes();
  Result<Term> attribute_term(const Attribute& attribute, const notation::Operand& declaration);
  Status bind_statements();
  Status match_type(const notation::Operand& declaration, const TensorType& type);
  Status bind_type_variable(const notation::Operand& declaration, const std::string& variable, const ElementType& type);
  Status check_type_variables();
  Status build_structure();
  Status add_source(TensorName& operand);
  Result<NodeId> fact_source(TensorName& tensor, const std::string& fact);
  StructureRequest structure_request() const;
  Status bind_results();
  Result<ElementType> result_element(const notation::Operand& declaration, const std::optional<TensorType>& stated);
  Status bind_constraints();
  Status check_without_structure();
  Status check_constraint(const notation::Constraint& constraint, NodeId node);
  Result<std::vector<StructureArgument>> structure_arguments(const notation::Structure& line);
  Result<bool> adds_nothing(const notation::Expr& padding);
  Result<ParameterIndex> parameter_index(const notation::Index& index);
  Result<Shape> integers_of(const notation::Expr& expression);

  // bind_places.cpp
  Result<Real> structure_number(const notation::Structure& line, const std::string& key, const std::map<std::string, Real>& names);
  void forget_from(NodeId first_node, std::size_t first_scope);
  void name_tap_facts(const structure::TapFacts& facts);

  // bind_stages.cpp
  Status bind_stage(const notation::Stage& stage);
  Status add_stage_result(const notation::Stage& stage, std::size_t result, const notation::Operand& declaration, std::shared_ptr<const StageValue> value,
                          const Formula& applied);
  Result<Attribute> stage_attribute(const Term& term, const notation::Expr& at);
  Access row_access(const TensorName& rows) const;

  // bind_header.cpp
  Status open_scopes();
  Status bind_grouped_operands();
  Status bind_header_results();
  Status bind_member_constraints();
  Result<Term> region_fact(std::size_t region, const std::string& fact, const notation::Expr& at);

  // bind_names.cpp
  bool is_left_out(const std::string& name) const;
  std::optional<Term> fact_of_format(const ElementType& type, const std::string& fact);
  Result<Term> bind_name(const notation::Expr& expression, const Context& context);
  Result<Term> bind_entry(const Entry& entry, const Scope& owner, const std::string& name, const notation::Expr& at);
  Result<Term> force(Lazy& lazy, const std::string& name);
  Result<Term> bind_fact(int tensor, bool result, const std::string& fact, const notation::Expr& at);
  /// A definition, or an alternative of a choice, about to be expanded.
  struct Callee {
    const std::vector<std::string>& parameters;
    const notation::Body& body;
    const Scope& owner;
    std::string label{};  ///< choice=alternative
    std::string file{};   ///< of an alternative that stands elsewhere than its choice
  };
  Result<Term> call_definition(const Callee& callee, const notation::Expr& call, const Context& context);
  Result<Term> bind_body(const notation::Body& body, Scope& scope, const FloatFormat* each);
  void add_bindings(Scope& scope, const std::vector<notation::Binding>& bindings);
  void add_lazy(Scope& scope, const std::vector<std::string>& targets, Lazy lazy);
  Result<const notation::Alternative*> take(const notation::Choice& choice, const Scope& owner);
  Result<std::string> alternative_name(const notation::Choice& choice, const Scope& owner);
  Result<const Scope*> module_scope(const std::string& module, const Scope& user, const std::string& alias);
  struct Found {
    const Entry* entry = nullptr;
    const Scope* owner = nullptr;
    std::string rest{};  ///< fact after the name
  };
  Result<Found> look_up(const std::string& path, const Scope& scope);
  Scope& new_scope(const Scope* parent);

  // bind_expressions.cpp
  Result<Term> bind(const notation::Expr& expression, const Context& context);
  Result<NodeId> number(const notation::Expr& expression, const Context& context);
  Result<NodeId> truth(const notation::Expr& expression, const Context& context);
  Result<NodeId> as_node(const Term& term, const notation::Expr& at);
  Result<NodeId> tensor_node(const Term& term, const notation::Expr& at);
  Result<NodeId> by_member(const Term& term, const notation::Expr& at, const std::function<Result<NodeId>(const Term&)>& of);
  Result<NodeId> member_node(const Term& term, const notation::Expr& at);
  Result<Term> member_parameter(const Term& term, const std::string& fact, const notation::Expr& at);
  Result<Term> bind_binary(const notation::Expr& expression, const Context& context);
  Result<Term> bind_relation(const notation::Expr& expression, const Context& context);
  Result<Term> bind_is(const notation::Expr& expression, const Context& context);
  Result<Term> bind_conditional(const notation::Expr& expression, const Context& context);
  Result<Term> bind_constant(const notation::Expr& expression, const Context& context);
  Result<Term> bind_item(const notation::Expr& expression, const Context& context);
  Result<Term> bind_data(const notation::Expr& expression);
  Result<Term> bind_look_up(std::shared_ptr<const std::vector<Real>> table, const std::optional<ElementType>& type, NodeId position, const notation::Expr& at);
  Result<Term> bind_table_operand(const Term& owner, NodeId position, const notation::Expr& at);
  Result<Term> bind_element_at(const Term& owner, NodeId position, const notation::Expr& at);
  NodeId node(NodeOp op, std::vector<NodeId> args, const notation::Expr& at);
  NodeId add(Node node, const notation::Expr& at);
  bool both_integer(const std::vector<NodeId>& args) const;
  NodeId rounded(NodeId value, const FloatFormat* each, const notation::Expr& at);

  // bind_conversions.cpp
  Result<Term> bind_call_expression(const notation::Expr& expression, const Context& context);
  Result<NodeId> bind_set(const notation::Expr& expression, const Context& context);
  Result<std::optional<Term>> bind_conversion(const notation::Expr& expression, const Context& context);
  Result<std::optional<Term>> bind_all(const notation::Expr& expression, const Context& context);
  Result<std::optional<Term>> bind_function(const notation::Expr& expression, const Context& context);
  struct Target {
    ElementType type;
    Real low, high;
  };
  Result<std::optional<Target>> conversion_target(const std::string& word, const Scope& scope);
  Result<NodeId> convert(const std::string& word, NodeId argument, const Scope& scope, const notation::Expr& at, bool* known);

  // bind_aggregates.cpp
  Result<Term> bind_aggregate(const notation::Expr& expression, const Context& context);
  Status bind_modifier(const notation::Modifier& modifier, Aggregate& aggregate, const notation::Expr& at, const Context& context);
  Result<NodeId> step_graph(const std::string& word, int carried, const notation::Expr& at, const Context& context);
  const Aggregate* inner_blocks(NodeId body) const;

  tl::unexpected<Error> error(const std::string& what, const notation::Expr& at, const std::string& hint = {}) const;
  tl::unexpected<Error> error_at(const std::string& what, notation::Position at, const std::string& hint = {}) const;

  const Library& library_;
  const Profile& profile_;
  const OpCall& call_;
  ResultPart part_;
  const Page* page_ = nullptr;
  const notation::Op* op_ = nullptr;
  Formula formula_{};
  std::vector<TensorName> operands_{};
  std::vector<TensorName> results_{};
  AttributeMap attributes_{};  ///< of the call, defaults filled in where they are constants
  std::map<std::string, ElementType> type_variables_{};
  std::deque<Scope> scopes_{};
  std::map<std::string, const Scope*> modules_{};  ///< key: module as alias of user
  Scope* op_scope_ = nullptr;
  bool structure_built_ = false;
  std::vector<std::string> choice_stack_{};
  std::string file_{};  ///< of the page being bound, for places
  int depth_ = 0;
};

}  // namespace tiebreak
